import type { Schema } from './document-types.ts';
import {
  count,
  day,
  described,
  fraction,
  id,
  instant,
  listOf,
  money,
  nullable,
  object,
  oneOfMany,
  OPTION_ID,
  pairs,
  refTo,
  text,
  webAddress,
  word,
  yesOrNo,
} from './schema-words.ts';

/** In the order in which they are listed. */
const CHECK_CODES = [
  'INPUT_VALID',
  'INSURED_STATE',
  'PREMIUM_MIN',
  'PREMIUM_MAX',
  'AM_BEST_MIN',
  'ISSUER',
  'COVERAGE',
  'POLICY_BACKDATE',
  'DATE_UNIFORMITY',
  'POLICY_TERM',
  'MINIMUM_EARNED_MAX',
];
const ASSUMPTION_CODES = [
  'TAXES_AND_FEES_NOT_PROVIDED',
  'EARNED_ASSUMED',
  'MINIMUM_EARNED_CONVERTED',
  'AUDITABLE_ASSUMED',
  'AM_BEST_UNVERIFIED',
];
const WARNING_CODES = ['VERIFY_MINIMUM_EARNED'];
const BINDING_ISSUE_CODES = [
  'INSURED_ADDRESS_INCOMPLETE',
  'DOCUMENT_TYPE_MISSING',
  'QUOTE_ONLY_DOCUMENT',
  'POLICY_NUMBER_MISSING',
  'AM_BEST_UNRESOLVED',
];
/** Why a test quote notifies nobody, and why an email was given up. */
const NOTIFICATION_REASONS = [
  'test_mode',
  'mailbox_rejected',
  'message_rejected',
  'delivery_timed_out',
  'delivery_unconfirmed',
];
/** AM Best's financial strength ratings, strongest first. */
const RATINGS = 'A++ A+ A A- B++ B+ B B- C++ C+ C C- D E F S NR'.split(' ');

/** What an option and an application's pricing both say of a loan. */
export const LOAN_TERMS: Readonly<Record<string, Schema>> = {
  down_payment_rate: fraction('The share of the total that is paid down.'),
  term_months: count('How many equal monthly payments there are.', 1),
  apr: fraction('The annual percentage rate by the actuarial method of Regulation Z.'),
  down_payment: money('What is paid at once.'),
  amount_financed: money('What is lent: the total less the down payment.'),
  monthly_payment: money('Each payment; the first is due after one month.'),
  finance_charge: money('What the loan costs in interest.'),
  total_of_payments: money('All monthly payments: amount_financed plus finance_charge.'),
  total_cost: money('All that is paid: down_payment plus total_of_payments.'),
};

const option = object({
  id: text('Names the option within its quote: opt_, the down payment in percent, the term in months.', {
    pattern: OPTION_ID,
  }),
  ...LOAN_TERMS,
  spread_clamped: yesOrNo('Whether the rate was held at a bound.'),
});

const policy = object({
  id: id('pol_', 8, 'Unique within the quote.'),
  total: money('Premium, taxes and fees of the policy.'),
  minimum_earned: object({ rate: fraction('The share that is earned at once; an amount that was sent is converted.') }),
  carrier: object({
    name: text('As it was sent.'),
    am_best: object({
      rating: oneOfMany(RATINGS, 'The financial strength rating that the price rests on.'),
      source: oneOfMany(['am_best', 'assumed'], 'Whether it was looked up or assumed.'),
    }),
  }),
  metadata: pairs('The metadata of the policy, as it was sent.'),
});

const totals = object({
  premium: money('Sum of the premiums.'),
  taxes_and_fees: money('Sum of taxes and fees.'),
  total: money('Both together.'),
  weighted_minimum_earned_rate: fraction('Minimum earned over all policies, weighted by premium.'),
  financing_start_date: day('The effective date that the policies share, or the earliest.'),
});

const check = object(
  {
    code: oneOfMany(CHECK_CODES, 'Which check.'),
    passed: yesOrNo('Whether it was passed.'),
    limit: text('What is allowed, for checks that have a limit.'),
    actual: text('What was found, where it can be said.'),
    basis: oneOfMany(['am_best', 'partially_assumed', 'assumed'], 'What the finding rests on.'),
  },
  { sometimes: ['limit', 'actual', 'basis'] },
);

const interest = object({
  option_id: text('The option that the insured chose.', { pattern: OPTION_ID }),
  note: nullable(text('What the insured wrote; null where nothing.', { maxLength: 500 })),
  submitted_at: instant('When.'),
  broker_notification: object({
    status: oneOfMany(['pending', 'sent', 'failed', 'skipped'], 'What became of the email to the broker.'),
    reason: nullable(oneOfMany(NOTIFICATION_REASONS, 'Why it was skipped or failed; null otherwise.')),
    recipient: nullable(text('Email address of the broker, or null where nobody is notified.')),
    recipients: listOf({ type: 'string' }, 'The same as a list.'),
    at: instant('Since when the status holds.'),
  }),
});

/** A code, the request field concerned, and a sentence. */
function notice(codes: readonly string[]): Schema {
  return object({
    code: oneOfMany(codes, 'What it is about; branch on it.'),
    param: text('The request field concerned, such as policies[0].carrier.'),
    message: text('A sentence for people; its wording may change.'),
  });
}

const quote = object({
  id: id('qte_', 22, 'Names the quote.'),
  object: word('quote', 'The kind of object.'),
  livemode: yesOrNo('True for live data, false for test data.'),
  status: oneOfMany(
    ['active', 'interested', 'expired'],
    'Interested once the insured has responded; expired once expires_at has passed without a response.',
  ),
  hosted_url: nullable(
    webAddress('The page for the insured. It is told once, when it is issued; null whenever the quote is read.'),
  ),
  selected_option_id: nullable(text('The option that the insured chose, if any.', { pattern: OPTION_ID })),
  interest: nullable(refTo('Interest')),
  client_reference_id: nullable(text('As it was sent.')),
  metadata: pairs('As it was sent.'),
  broker: object({ email: text('The broker who owns the quote.') }),
  created_at: instant('When the quote was priced.'),
  expires_at: instant('Thirty days later.'),
  policies: listOf(refTo('QuotePolicy'), 'In the order sent.'),
  totals,
  eligibility: object({
    status: oneOfMany(['eligible', 'ineligible'], 'The verdict.'),
    checks: listOf(refTo('EligibilityCheck'), 'Every check, passed or not.'),
    reasons: listOf(notice(CHECK_CODES), 'One for each check that failed.'),
  }),
  assumptions: listOf(notice(ASSUMPTION_CODES), 'What was assumed for want of data.'),
  warnings: listOf(notice(WARNING_CODES), 'What to look at again.'),
  binding_readiness: object({
    ready: yesOrNo('Whether the deal could bind as it stands.'),
    issues: listOf(notice(BINDING_ISSUE_CODES), 'What is missing before it can bind. It stops nothing today.'),
  }),
  recommended_option_id: nullable(
    text('The option to show first; it is no advice. Null for an ineligible quote.', { pattern: OPTION_ID }),
  ),
  options: listOf(refTo('QuoteOption'), 'By down payment, then term; empty for an ineligible quote.'),
});

export const QUOTE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Quote: described('A deal, priced once and stored. Reading it never prices it again.', quote),
  QuoteOption: described('One combination of down payment and term.', option),
  QuotePolicy: described('A policy as the price sees it.', policy),
  EligibilityCheck: described('One check. What does not apply is left out.', check),
  Interest: described("The insured's response to a quote.", interest),
};
