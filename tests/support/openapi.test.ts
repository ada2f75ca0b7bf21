import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newQuoteBodies, newQuotes } from '@pfq/gateway/openapi/examples';
import { requireDocumented } from './openapi.ts';
import type { Exchanged } from './openapi.ts';

const HEADERS = {
  'Content-Type': 'application/json',
  'Request-Id': 'req_8Dm9xKu9aR4mOKXcpvvZTU',
  'Service-Version': '2026-09-23',
  'RateLimit-Limit': '60',
  'RateLimit-Remaining': '0',
  'RateLimit-Reset': '21',
};

/** The documented answer to the documented request, but for `changes`. */
function exchange(changes: Partial<Exchanged> = {}, headers: Readonly<Record<string, string>> = {}): Exchanged {
  return {
    method: 'POST',
    target: '/v1/quotes',
    sent: JSON.stringify(newQuoteBodies['eligible']?.value),
    status: 201,
    text: JSON.stringify(newQuotes['eligible']?.value),
    ...changes,
    headers: new Headers({ ...HEADERS, ...headers }),
  };
}

function withoutBody(): Exchanged {
  const { sent: _, ...rest } = exchange();
  return rest;
}

function refusal(status: number, error: Readonly<Record<string, unknown>>): Partial<Exchanged> {
  const whole = {
    message: 'No.',
    doc_url: 'https://docs.example/errors#X',
    request_id: HEADERS['Request-Id'],
    ...error,
  };
  return { status, text: JSON.stringify({ error: whole }) };
}

const changed = (change: (text: string) => string) => ({ text: change(exchange().text) });

describe('an answer passes', () => {
  const passing: readonly (readonly [string, Exchanged])[] = [
    ['that is as documented', exchange()],
    ['that is a replay', exchange({}, { 'Idempotent-Replayed': 'true' })],
    ['to HEAD without a body', exchange({ method: 'HEAD', target: '/v1/quotes/x', sent: '', status: 200, text: '' })],
    ['to another method', exchange({ method: 'DELETE', status: 405, text: '' }, { Allow: 'POST' })],
    [
      'to an unknown path',
      exchange({ target: '/v1/nowhere', ...refusal(404, { type: 'not_found', code: 'NOT_FOUND' }) }),
    ],
    [
      'to a path that lacks an id',
      exchange({ target: '/v1/quotes/', ...refusal(404, { type: 'not_found', code: 'NOT_FOUND' }) }),
    ],
    ['to a body that nobody knows', withoutBody()],
    ['outside the API', exchange({ target: '/docs', status: 418 })],
  ];
  for (const [what, given] of passing) {
    test(what, () => {
      requireDocumented(given);
    });
  }
});

describe('an answer fails its test', () => {
  const inProgress = { type: 'conflict', code: 'IDEMPOTENCY_REQUEST_IN_PROGRESS' };
  const failing: readonly (readonly [string, Exchanged, RegExp])[] = [
    ['with a status that is not documented', exchange({ status: 202 }), /createQuote: 202 to POST.*the status is not/s],
    [
      'with a code that the operation cannot give',
      exchange(refusal(409, { type: 'conflict', code: 'QUOTE_EXPIRED' })),
      /QUOTE_EXPIRED is not documented/,
    ],
    [
      'with the type of another code',
      exchange(refusal(409, { ...inProgress, type: 'not_found' }), { 'Retry-After': '1' }),
      /has the type not_found/,
    ],
    ['that does not say when to come back', exchange(refusal(409, inProgress)), /Retry-After/],
    [
      'that says when to come back where nothing changes by then',
      exchange(refusal(409, { type: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' }), { 'Retry-After': '1' }),
      /Retry-After/,
    ],
    [
      'that names another request',
      exchange(refusal(409, { type: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED', request_id: `req_${'0'.repeat(22)}` })),
      /not the Request-Id/,
    ],
    [
      'with a header that is not documented',
      exchange({}, { 'X-Powered-By': 'Express' }),
      /x-powered-by is not documented/,
    ],
    [
      'without a header',
      { ...exchange(), headers: new Headers({ 'Content-Type': 'application/json' }) },
      /ratelimit-limit is missing/,
    ],
    ['with a header out of form', exchange({}, { 'RateLimit-Reset': 'soon' }), /header ratelimit-reset/],
    ['of another content type', exchange({}, { 'Content-Type': 'text/html' }), /content type/],
    [
      'with a member that is not documented',
      exchange(changed((text) => text.replace('{', '{"extra":1,'))),
      /additional/,
    ],
    ['without a member', exchange(changed((text) => text.replace('"status":"active",', ''))), /status/],
    [
      'with money out of form',
      exchange(changed((text) => text.replace(/"total":"[\d.]+"/, '"total":"1.5"'))),
      /pattern/,
    ],
    [
      'with a word that an enumeration lacks today',
      exchange(changed((text) => text.replace('"active"', '"sleeping"'))),
      /body\/status/,
    ],
    ['with a body to HEAD', exchange({ method: 'HEAD', target: '/v1/quotes/x', status: 200 }), /there is a body/],
    ['after no body where one is needed', exchange({ sent: '' }), /without a body was accepted/],
    ['after a body that the document forbids', exchange({ sent: '{"insured":{},"policies":[]}' }), /accepted body/],
  ];
  for (const [what, given, violation] of failing) {
    test(what, () => {
      assert.throws(() => requireDocumented(given), violation);
    });
  }
});
