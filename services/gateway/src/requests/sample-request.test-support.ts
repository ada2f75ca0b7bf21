import assert from 'node:assert/strict';
import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { parseBody } from './body.ts';
import { parseQuoteRequest } from './quote-request.ts';
import type { QuoteRequest } from './quote-request.ts';

/** What tests send: JSON by construction. A string "raw:1e999" stands for the bare JSON text 1e999. */
export type Sendable = null | boolean | number | string | Sendable[] | SendableObject;
export type SendableObject = { [name: string]: Sendable };

export const SAMPLE_COVERAGE_TYPES = ['general_liability', 'windstorm', 'other'];

/** A valid request that sends every field. */
export function fullRequest(): SendableObject {
  return {
    broker_email: 'ana@example.com',
    client_reference_id: 'deal-7',
    metadata: { desk: 'austin' },
    insured: {
      name: 'Lone Star Roofing LLC',
      dba: 'Lone Star',
      fein: '12-3456789',
      address: { line1: '1 Main St', city: 'Austin', state: 'TX', postal_code: '78701' },
    },
    policies: [
      {
        premium: '12000.00',
        taxes_and_fees: [{ amount: '250.00', description: 'Policy fee', earned: false }],
        minimum_earned: { rate: 0.25 },
        effective_date: '2027-01-01',
        expiration_date: '2028-01-01',
        carrier: { name: 'Acme Mutual', naic_code: '12345', am_best_id: '000123' },
        coverages: [{ type: 'general_liability', description: 'Premises' }],
        auditable: false,
        document_type: 'binder',
        policy_number: 'GL-1',
        metadata: { line: 'gl' },
      },
    ],
  };
}

/** `request` with the value at a path such as `policies[0].premium` set, or removed where `value` is undefined. */
export function changed(request: SendableObject, path: string, value?: Sendable): SendableObject {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  const root = structuredClone(request);
  let at: Sendable | undefined = root;
  for (const step of steps) at = Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined;
  if (Array.isArray(at) && value !== undefined) at[Number(last)] = value;
  else if (!isObject(at)) throw new TypeError(`${path} leads nowhere`);
  else if (value === undefined) delete at[last];
  else at[last] = value;
  return root;
}

/** Reads a request; a string at the top is JSON text as it stands. */
export function parse(sent: Sendable): QuoteRequest {
  return parseQuoteRequest(parseBody(Buffer.from(textOf(sent))), SAMPLE_COVERAGE_TYPES);
}

function textOf(sent: Sendable): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent).replaceAll(/"raw:([^"]*)"/g, '$1');
}

/** Every problem of a request; none where it is read. */
export function problemsOf(sent: Sendable): readonly ErrorDetail[] {
  try {
    parse(sent);
    return [];
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.details;
  }
}

export function refusalOf(sent: Sendable): ServiceError {
  try {
    parse(sent);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the request was read' });
}

function isObject(value: Sendable | undefined): value is SendableObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
