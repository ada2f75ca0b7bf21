import type { ServiceImpl } from '@connectrpc/connect';
import { ServiceError } from '@pfq/kit/errors';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import { DeclinedKind } from '@pfq/proto/pricing/v1/admin_pb';
import type { ChangeDeclinedRequest, PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { normalizeCarrierName } from '../domain/carriers.ts';
import type { DeclinedChange } from '../domain/declined-entries.ts';
import type { PricingStore } from '../storage/store.ts';
import { COVERAGE_TYPE_NAMES, isCoverageType } from './coverage-list.ts';
import { isStorable } from './storable-text.ts';

export function declinedMethods(store: PricingStore) {
  return {
    async changeDeclined(request, context) {
      const change = readChange(request);
      const { version, entries } = await store.changeDeclined(change, actorOf(context.requestHeader));
      return { version, issuers: [...entries.issuers], coverages: [...entries.coverages] };
    },
  } satisfies Partial<ServiceImpl<typeof PricingAdminService>>;
}

function readChange({ kind, value, declined }: ChangeDeclinedRequest): DeclinedChange {
  if (kind === DeclinedKind.ISSUER) return { list: 'issuers', value: readIssuer(value.trim()), declined };
  if (kind === DeclinedKind.COVERAGE) return { list: 'coverages', value: readCoverage(value.trim()), declined };
  throw refusal('kind', 'Say whether an issuer or a coverage type is meant.');
}

function readIssuer(value: string): string {
  if (/^\d+$/.test(value)) {
    throw refusal(
      'value',
      `"${value}" is a code: send the carrier's name, which \`pfq carriers find ${value}\` tells.`,
    );
  }
  if (normalizeCarrierName(value) !== '' && isStorable(value)) return value;
  throw refusal('value', `"${value}" names no carrier. Send its name.`);
}

function readCoverage(value: string): string {
  if (isCoverageType(value)) return value;
  throw refusal('value', `"${value}" is no coverage type. Send one of ${COVERAGE_TYPE_NAMES.join(', ')}.`);
}

function refusal(param: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', {
    message,
    param,
    details: [{ code: 'INVALID_VALUE', param, message }],
  });
}
