import { base62 } from '@pfq/kit/ids';
import { formatMoney, parseMoney, sumCents, toCents, ZERO_CENTS } from '@pfq/kit/money';
import type { Cents } from '@pfq/kit/money';
import { findAnnualPercentageRate, roundPayment } from '@pfq/pricing/domain/level-loan';
import { DESCRIPTIONS, WORDS } from './example-words.ts';
import { seededRandom } from './seeded-random.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Stands in the file where whoever loads it puts an agency of theirs. */
const EXAMPLE_AGENCY = `agy_${'0'.repeat(22)}`;

type Code = keyof typeof DESCRIPTIONS;

/** One way in which a deal can stand. */
type Kind = {
  readonly status: string;
  readonly policies: 'none' | 'sketched' | 'known';
  readonly isPriced: boolean;
  /** Whether the address may be incomplete and carriers not matched yet. */
  readonly hasGaps: boolean;
  /** What blocks besides the gaps. */
  readonly blocking: Code | null;
  /** Whether what is owed has a day. */
  readonly isExecuted: boolean;
};

/** How many there are of each kind, from deals that have just come in to those that have come to an end. */
const KINDS: readonly (Partial<Kind> & { readonly count: number; readonly status: string })[] = [
  { count: 9, status: 'processing', policies: 'none', isPriced: false, hasGaps: true },
  { count: 17, status: 'processing', policies: 'sketched', isPriced: false, hasGaps: true },
  {
    count: 8,
    status: 'requires_information',
    policies: 'none',
    isPriced: false,
    hasGaps: true,
    blocking: 'NO_POLICIES',
  },
  { count: 18, status: 'requires_information', hasGaps: true, blocking: 'BROKER_REVIEW_REQUIRED' },
  { count: 8, status: 'requires_information', blocking: 'AGREEMENT_DECLINED' },
  { count: 22, status: 'ready_for_agreement', hasGaps: true },
  { count: 26, status: 'awaiting_signature' },
  { count: 18, status: 'pending_activation' },
  { count: 56, status: 'active', isExecuted: true },
  { count: 8, status: 'canceled', policies: 'sketched', isPriced: false, hasGaps: true },
  { count: 6, status: 'canceled' },
  { count: 4, status: 'canceled', blocking: 'AGREEMENT_DECLINED' },
];
const USUAL: Omit<Kind, 'status'> = {
  policies: 'known',
  isPriced: true,
  hasGaps: false,
  blocking: null,
  isExecuted: false,
};

const SEED = 651_152;
const NEWEST_MS = Date.UTC(2026, 10, 20, 21, 47, 12, 608);
const DAY_MS = 86_400_000;
/** How far, in places of the list, kinds are mixed. */
const MIXED_OVER = 70;
const BROKERS = ['avery.stone@demo-agency.example', 'jordan.wells@demo-agency.example'] as const;

export type ExampleApplication = ReturnType<typeof makeApplication>;

/** `tests/examples/applications.ndjson`. */
export function exampleApplicationsFile(): string {
  return exampleApplications()
    .map((application) => `${JSON.stringify(application)}\n`)
    .join('');
}

/** Invented deals of one agency, newest first, the same every time. */
export function exampleApplications(): readonly ExampleApplication[] {
  const random = seededRandom(SEED);
  const kinds = KINDS.flatMap(({ count, ...kind }) => Array.from({ length: count }, () => ({ ...USUAL, ...kind })));
  const mixed = kinds.map((kind, index) => ({ kind, place: index + random.below(MIXED_OVER) }));
  let createdMs = NEWEST_MS;
  return mixed
    .sort((one, other) => one.place - other.place)
    .map(({ kind }) => {
      // Emails that are fetched together come in at the same instant.
      if (!random.oneIn(8)) createdMs -= random.below(DAY_MS);
      return makeApplication({ kind, random, createdMs });
    });
}

type Making = { readonly kind: Kind; readonly random: SeededRandom; readonly createdMs: number };

function makeApplication(making: Making) {
  const { kind, random, createdMs } = making;
  const id = makeId('app_', making);
  const createdVia = random.pick(kind.isPriced ? ['portal', 'portal', 'email', 'api'] : ['portal', 'email']);
  const isFromQuote = createdVia === 'api' || (createdVia === 'portal' && random.oneIn(2));
  const policies = makePolicies(making);
  const total = sumCents(policies.map((policy) => parseMoney(policy.total ?? '') ?? ZERO_CENTS));
  const pricing = kind.isPriced ? makePricing(total, { random, isOption: createdVia === 'api' }) : null;
  const insured = makeInsured(making);
  return {
    agency_id: EXAMPLE_AGENCY,
    id,
    object: 'application',
    livemode: true,
    status: kind.status,
    created_via: createdVia,
    quote_id: isFromQuote ? makeId('qte_', making) : null,
    accepted_option_id: createdVia === 'api' && pricing ? pricing.option_id : null,
    pricing,
    insured,
    broker: { email: random.pick(BROKERS) },
    policies,
    requirements: makeRequirements(making, { insured, policies }),
    portal_url: `https://portal.example/applications/${id}`,
    client_reference_id: null,
    metadata: createdVia === 'api' ? { desk: random.pick(['austin', 'houston']) } : {},
    created_at: new Date(createdMs).toISOString(),
  };
}

/** A loan with a level payment, and its rate solved from the rounded payment as a quote's is. */
function makePricing(total: Cents, { random, isOption }: { random: SeededRandom; isOption: boolean }) {
  const isWhole = isOption || !random.oneIn(7);
  const downBasisPoints = random.pick([15, 20, 20, 25, 25, 25, 30, 35]) * 100 + (isWhole ? 0 : 1 + random.below(99));
  const term = random.pick([8, 9, 9, 10, 10, 10]);
  const down = toCents((total * BigInt(downBasisPoints) + 5_000n) / 10_000n);
  const amountFinanced = toCents(total - down);
  const rateBasisPoints = 825 + Math.min(300, Math.round(218_000_000 / Number(total))) + random.pick([0, 25, 60]);
  const payment = roundPayment({ amountFinanced, term, rateBasisPoints });
  const totalOfPayments = toCents(payment * BigInt(term));
  const apr = findAnnualPercentageRate({ amountFinanced, payment, term }, rateBasisPoints);
  return {
    option_id: isWhole ? `opt_${downBasisPoints / 100}_${term}` : null,
    down_payment_rate: downBasisPoints / 10_000,
    term_months: term,
    apr: apr / 10_000,
    down_payment: formatMoney(down),
    amount_financed: formatMoney(amountFinanced),
    monthly_payment: formatMoney(toCents(payment)),
    finance_charge: formatMoney(toCents(totalOfPayments - amountFinanced)),
    total_of_payments: formatMoney(totalOfPayments),
    total_cost: formatMoney(toCents(down + totalOfPayments)),
    selected_by: isWhole ? random.pick(['broker', 'system', 'system']) : 'broker',
  };
}

function makeInsured({ kind, random }: Making) {
  const { pick, below } = random;
  const [, city = '', postalCode = ''] = /^(.*) (\d+)$/.exec(pick(WORDS.cities)) ?? [];
  const name = `${pick(WORDS.places)} ${pick(WORDS.trades)} ${pick(WORDS.suffixes)}`;
  const address = { line1: `${100 + below(8_900)} ${pick(WORDS.streets)}`, city, state: 'TX', postal_code: postalCode };
  const gap = kind.hasGaps ? below(6) : 5;
  if (gap === 0) return { name: null, address: { line1: null, city: null, state: null, postal_code: null } };
  if (gap === 1) return { name, address: { ...address, line1: null, postal_code: null } };
  return { name, address: gap === 2 ? { ...address, line1: null } : address };
}

function makePolicies(making: Making) {
  const { kind, random, createdMs } = making;
  const { pick, below, oneIn } = random;
  const isSketched = kind.policies === 'sketched';
  const startMs = createdMs + below(25) * DAY_MS;
  const start = new Date(startMs).toISOString().slice(0, 10);
  const end = `${Number(start.slice(0, 4)) + 1}${start.slice(4)}`;
  return Array.from({ length: kind.policies === 'none' ? 0 : 1 + below(3) }, () => {
    const total = formatMoney(toCents(BigInt(450_000 + below(4_800_000))));
    const isKnown = !isSketched || oneIn(2);
    const isMatched = isKnown && !(kind.hasGaps && oneIn(4));
    const documentType = isSketched ? pick([null, 'quote']) : pick(['quote', 'binder', 'binder', 'policy', 'policy']);
    const hasNumber = documentType === 'policy' || (documentType === 'binder' && oneIn(2));
    return {
      id: makeId('pol_', making),
      carrier: { name: isKnown ? pick(WORDS.carriers) : null, match: isMatched ? 'matched' : 'pending' },
      total: isKnown ? total : null,
      effective_date: isKnown ? start : null,
      expiration_date: isKnown ? end : null,
      document_type: documentType,
      policy_number: hasNumber ? `${pick(WORDS.lines)}-${100_000 + below(900_000)}` : null,
    };
  });
}

type Content = {
  readonly insured: ReturnType<typeof makeInsured>;
  readonly policies: ReturnType<typeof makePolicies>;
};

function makeRequirements({ kind, random, createdMs }: Making, { insured, policies }: Content) {
  const dueMs = createdMs + (3 + random.below(9) + 30) * DAY_MS;
  const dueBy = kind.isExecuted ? new Date(dueMs).toISOString().slice(0, 10) : null;
  const blocking: [Code, string | null][] = [];
  const outstanding: [Code, string][] = [];
  if (kind.blocking !== null) blocking.push([kind.blocking, kind.blocking === 'NO_POLICIES' ? 'policies' : 'pricing']);
  if (Object.values(insured.address).includes(null)) blocking.push(['INSURED_ADDRESS_INCOMPLETE', 'insured.address']);
  for (const [index, { carrier, document_type: documentType, policy_number: number }] of policies.entries()) {
    if (carrier.match === 'pending') blocking.push(['CARRIER_UNMATCHED', `policies[${index}].carrier`]);
    if (!kind.isPriced) continue;
    if (documentType !== 'policy') outstanding.push(['FINAL_POLICY_NEEDED', `policies[${index}].document_type`]);
    if (number === null) outstanding.push(['POLICY_NUMBER_NEEDED', `policies[${index}].policy_number`]);
  }
  return {
    blocking: blocking.map(([code, param]) => ({ code, param, description: DESCRIPTIONS[code], due_by: null })),
    outstanding: outstanding.map(([code, param]) => ({ code, param, description: DESCRIPTIONS[code], due_by: dueBy })),
  };
}

/** As ids are made, with the instant in front. */
function makeId(prefix: string, { random, createdMs }: Making): string {
  const tail = Array.from({ length: 13 }, () => base62(BigInt(random.below(62)), 1));
  return prefix + base62(BigInt(createdMs) * 1_000n, 9) + tail.join('');
}
