import { formatMoney, parseMoney, toCents, ZERO_CENTS } from '@pfq/kit/money';
import type { Cents } from '@pfq/kit/money';
import type * as wire from '@pfq/proto/pricing/v1/deal_pb';
import { isRealDate } from '../domain/calendar.ts';
import type { CarrierReference, Deal, Fee, MinimumEarned, Policy } from '../domain/deal.ts';
import { roundUpToBasisPoints } from '../domain/decimal-text.ts';
import { refuseIfAny } from '../domain/problems.ts';
import type { Problems } from '../domain/problems.ts';
import { isCoverageType } from './coverage-list.ts';

const POLICIES_MAX = 25;
const ONE_CENT = toCents(1n);
const DOCUMENT_TYPES = ['quote', 'binder', 'policy'] as const;

/** Reads a deal from the wire. Throws VALIDATION_FAILED with every problem, `param` as in the public request. */
export function readDeal(message: wire.Deal | undefined): Deal {
  const problems: Problems = [];
  const deal = {
    today: readDate('today', { text: message?.today, problems }),
    insured: readInsured(message?.insured, problems),
    policies: readPolicies(message?.policies ?? [], problems),
  };
  refuseIfAny(problems);
  return deal;
}

function readInsured(insured: wire.Insured | undefined, problems: Problems): Deal['insured'] {
  if (!insured?.state) problems.push(required('insured.address.state'));
  return {
    state: insured?.state ?? '',
    line1: insured?.line1 ?? null,
    city: insured?.city ?? null,
    postalCode: insured?.postalCode ?? null,
  };
}

function readPolicies(policies: readonly wire.Policy[], problems: Problems): readonly Policy[] {
  const message = `Send 1 to ${POLICIES_MAX} policies.`;
  if (policies.length === 0) problems.push({ code: 'TOO_FEW', param: 'policies', message });
  if (policies.length > POLICIES_MAX) problems.push({ code: 'TOO_MANY', param: 'policies', message });
  return policies.map((policy, index) => readPolicy(policy, { param: `policies[${index}]`, problems }));
}

type Place = { readonly param: string; readonly problems: Problems };

function readPolicy(policy: wire.Policy, { param, problems }: Place): Policy {
  const { effectiveDate, expirationDate } = policy;
  const premium = readAmount(policy.premium, { param: `${param}.premium`, problems, least: ONE_CENT });
  return {
    premium,
    fees: policy.fees.map((fee, index) => readFee(fee, { param: `${param}.taxes_and_fees[${index}]`, problems })),
    minimumEarned: readMinimumEarned(policy.minimumEarned, { param: `${param}.minimum_earned`, problems, premium }),
    effectiveDate: readDate(`${param}.effective_date`, { text: effectiveDate, problems }),
    expirationDate: readDate(`${param}.expiration_date`, { text: expirationDate, problems }),
    carrier: readCarrier(policy.carrier, { param: `${param}.carrier`, problems }),
    coverages: readCoverages(policy.coverageTypes, { param: `${param}.coverages`, problems }),
    auditable: policy.auditable ?? null,
    documentType: readDocumentType(policy.documentType, { param: `${param}.document_type`, problems }),
    policyNumber: policy.policyNumber ?? null,
  };
}

function readFee(fee: wire.Fee, { param, problems }: Place): Fee {
  const amount = readAmount(fee.amount, { param: `${param}.amount`, problems, least: ZERO_CENTS });
  return { amount, earned: fee.earned ?? null };
}

type Bounds = { readonly least: Cents; readonly most?: Cents };

function readAmount(text: string, { param, problems, least, most }: Place & Bounds): Cents {
  const amount = parseMoney(text);
  if (amount !== null && amount >= least && (most === undefined || amount <= most)) return amount;
  const code = amount === null ? 'INVALID_FORMAT' : 'OUT_OF_RANGE';
  const atMost = most === undefined ? '' : ` and at most ${formatMoney(most)}`;
  const message = `${param} must be dollars with two decimals, at least ${formatMoney(least)}${atMost}.`;
  problems.push({ code, param, message });
  return least;
}

type MinimumEarnedPlace = Place & { readonly premium: Cents };

function readMinimumEarned(given: wire.Policy['minimumEarned'], place: MinimumEarnedPlace): MinimumEarned {
  const { param, problems, premium } = place;
  if (given.case === 'minimumEarnedAmount') {
    const bounds = { param: `${param}.amount`, problems, least: ZERO_CENTS, most: premium };
    return { kind: 'amount', amount: readAmount(given.value, bounds) };
  }
  if (given.case === undefined) {
    problems.push(required(param));
  } else if (roundUpToBasisPoints(given.value) === null) {
    const message = `${param}.rate must be a fraction from 0 to 1: 0.25 means 25 %.`;
    problems.push({ code: 'OUT_OF_RANGE', param: `${param}.rate`, message });
  }
  return { kind: 'rate', rate: given.value ?? '' };
}

function readDate(param: string, { text, problems }: { text: string | undefined; problems: Problems }): string {
  if (text !== undefined && isRealDate(text)) return text;
  problems.push({ code: 'INVALID_FORMAT', param, message: `${param} must be a real date as YYYY-MM-DD.` });
  return '';
}

function readCarrier(carrier: wire.Carrier | undefined, { param, problems }: Place): CarrierReference {
  if (!carrier?.name) problems.push(required(`${param}.name`));
  return {
    name: carrier?.name ?? '',
    naicCode: carrier?.naicCode ?? null,
    amBestId: carrier?.amBestId ?? null,
  };
}

function readCoverages(types: readonly string[], { param, problems }: Place): Policy['coverages'] {
  if (types.length === 0) problems.push({ code: 'TOO_FEW', param, message: `Send at least one of ${param}.` });
  for (const [index, type] of types.entries()) {
    if (isCoverageType(type)) continue;
    const message = `"${type}" is no coverage type of the coverage list.`;
    problems.push({ code: 'INVALID_VALUE', param: `${param}[${index}].type`, message });
  }
  return types.map((type) => ({ type }));
}

function readDocumentType(text: string | undefined, { param, problems }: Place): Policy['documentType'] {
  if (text === undefined) return null;
  const known = DOCUMENT_TYPES.find((type) => type === text);
  if (known === undefined) {
    const message = `${param} must be one of ${DOCUMENT_TYPES.join(', ')}.`;
    problems.push({ code: 'INVALID_VALUE', param, message });
  }
  return known ?? null;
}

function required(param: string) {
  return { code: 'REQUIRED', param, message: `${param} is missing.` };
}
