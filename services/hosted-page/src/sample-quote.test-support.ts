import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { HostedQuoteSchema } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { HostedQuote } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';

export const QUOTE_ID = 'qte_0Uz3kQ9aXbCdEfGhIjKlMn';

const TERMS = [6, 7, 8, 9, 10, 11];
const SHARES = [15, 20, 25, 30, 35];

/** What the gateway writes of a request, and of its price; amounts are made up, and each is told apart by its cents. */
export const REQUEST_MEMBERS = {
  client_reference_id: 'ams-1',
  metadata: {},
  broker: { email: 'stored@agency.example' },
  created_at: '2026-11-20T15:04:05.678Z',
  expires_at: '2026-12-20T15:04:05.678Z',
  policies: [
    {
      id: 'pol_aaaaaaaa',
      total: '12250.00',
      minimum_earned: { rate: 0.25 },
      carrier: { name: 'Cottonwood' },
      metadata: {},
    },
    {
      id: 'pol_bbbbbbbb',
      total: '7750.00',
      minimum_earned: { rate: 0.1 },
      carrier: { name: 'Bluebonnet' },
      metadata: {},
    },
  ],
};
export const PRICED_MEMBERS = {
  totals: {
    premium: '19500.00',
    taxes_and_fees: '500.00',
    total: '20000.00',
    weighted_minimum_earned_rate: 0.25,
    financing_start_date: '2027-01-01',
  },
  eligibility: { status: 'eligible', checks: [], reasons: [] as readonly object[] },
  assumptions: [noticeOf('EARNED_ASSUMED', 0), noticeOf('EARNED_ASSUMED', 1), noticeOf('AUDITABLE_ASSUMED', 0)],
  warnings: [noticeOf('VERIFY_MINIMUM_EARNED', 0)],
  binding_readiness: { ready: false, issues: [] },
  recommended_option_id: 'opt_25_9' as string | null,
  options: SHARES.flatMap((share) => TERMS.map((term) => optionOf(share, term))) as readonly object[],
};
export const INELIGIBLE_MEMBERS = {
  ...PRICED_MEMBERS,
  eligibility: {
    status: 'ineligible',
    checks: [],
    reasons: [noticeOf('INSURED_STATE', 0), noticeOf('PREMIUM_MIN', 0)],
  },
  recommended_option_id: null,
  options: [],
};

function noticeOf(code: string, index: number) {
  return { code, param: `policies[${index}]`, message: 'A sentence.' };
}

function optionOf(share: number, term: number) {
  const cents = String(share + term).padStart(2, '0');
  return {
    id: `opt_${share}_${term}`,
    down_payment_rate: share / 100,
    term_months: term,
    apr: 0.11,
    down_payment: `${share * 200}.${cents}`,
    amount_financed: `${20_000 - share * 200}.${cents}`,
    monthly_payment: `${1_000 + term}.${cents}`,
    finance_charge: `${700 + term}.${cents}`,
    total_of_payments: `${18_000 + term}.${cents}`,
    total_cost: `${21_000 + term}.${cents}`,
    spread_clamped: false,
  };
}

type Parts = {
  readonly quote?: {
    readonly mode?: Mode;
    readonly status?: QuoteStatus;
    readonly interest?: ReturnType<typeof interestedIn>['interest'];
  };
  readonly parties?: Partial<Record<'insuredName' | 'agencyName' | 'brokerName' | 'brokerEmail', string>>;
  readonly requestMembers?: object;
  readonly pricedMembers?: object;
  readonly apiVersion?: string;
};

/** A live quote as the store gives it, active but for `quote`. */
export function hostedQuote({
  quote,
  parties,
  requestMembers,
  pricedMembers,
  apiVersion = '',
}: Parts = {}): HostedQuote {
  const snapshot = {
    requestMembers: insideOf(requestMembers ?? REQUEST_MEMBERS),
    pricedMembers: insideOf(pricedMembers ?? PRICED_MEMBERS),
    apiVersion,
  };
  return create(HostedQuoteSchema, {
    quote: { quoteId: QUOTE_ID, mode: Mode.LIVE, status: QuoteStatus.ACTIVE, snapshot, ...quote },
    parties: parties ?? {
      insuredName: 'Lone Star Roofing LLC',
      agencyName: 'Demo Agency',
      brokerName: 'Avery Stone',
      brokerEmail: 'avery@agency.example',
    },
  });
}

/** How a stored quote stands once the insured has responded. */
export function interestedIn(optionId: string, note = '') {
  const at = timestampFromDate(new Date('2026-11-21T12:00:00Z'));
  return { status: QuoteStatus.INTERESTED, interest: { optionId, ...(note !== '' && { note }), submittedAt: at } };
}

function insideOf(members: object): Buffer {
  return Buffer.from(JSON.stringify(members).slice(1, -1));
}
