import type { Schema } from './document-types.ts';
import { LOAN_TERMS } from './quote-schemas.ts';
import {
  day,
  described,
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

const STATUSES = [
  'processing',
  'requires_information',
  'ready_for_agreement',
  'awaiting_signature',
  'pending_activation',
  'active',
  'canceled',
];
const BLOCKING_CODES = [
  'BROKER_REVIEW_REQUIRED',
  'NO_POLICIES',
  'INSURED_ADDRESS_INCOMPLETE',
  'CARRIER_UNMATCHED',
  'AGREEMENT_DECLINED',
];

const pricing = object({
  option_id: nullable(
    text('The terms as an option; null where the down payment is not a whole percent.', { pattern: OPTION_ID }),
  ),
  ...LOAN_TERMS,
  selected_by: oneOfMany(['broker', 'system'], 'Who chose the terms; system is the recommended option, kept.'),
});

const policy = object({
  id: id('pol_', 22, 'Names the policy.'),
  carrier: object({
    name: nullable(text('Null while it is not known.')),
    match: oneOfMany(['matched', 'pending'], 'Whether the carrier was found in the directory.'),
  }),
  total: nullable(money('Premium, taxes and fees.')),
  effective_date: nullable(day('The first day of cover.')),
  expiration_date: nullable(day('The day on which cover ends.')),
  document_type: nullable(oneOfMany(['quote', 'binder', 'policy'], 'What the document on file is.')),
  policy_number: nullable(text('Null too where only a placeholder is on file.')),
});

/** What must be done, and where. */
function requirement(code: Schema, dueBy: Schema): Schema {
  return object({
    code,
    param: nullable(text('Where the fix goes, such as insured.address.')),
    description: text('A sentence for people; its wording may change.'),
    due_by: dueBy,
  });
}

const requirements = object({
  blocking: listOf(
    requirement(
      oneOfMany(BLOCKING_CODES, 'What it is; branch on it.'),
      nullable(day('Always null: what blocks has no due date.')),
    ),
    'What must be cleared before the agreement can be sent; empty once it is, but for a declined agreement.',
  ),
  outstanding: listOf(
    requirement(
      text('What it is; branch on it.', { pattern: '^[A-Z][A-Z0-9_]*$' }),
      nullable(day('Thirty days after the agreement is executed; null before.')),
    ),
    'What is owed after the agreement is executed.',
  ),
});

const address = object({
  line1: nullable(text('Street and number.')),
  city: nullable(text('City.')),
  state: nullable(text('A two-letter USPS code.')),
  postal_code: nullable(text('ZIP code.')),
});

const application = object({
  id: id('app_', 22, 'Names the application.'),
  object: word('application', 'The kind of object.'),
  livemode: yesOrNo('Always true: there are no test applications.'),
  status: oneOfMany(STATUSES, 'Where it stands. Treat a value that you do not know as in progress.'),
  created_via: oneOfMany(['api', 'portal', 'email'], 'How it came in.'),
  quote_id: nullable(id('qte_', 22, 'The current quote.')),
  accepted_option_id: nullable(text('The option accepted through the API.', { pattern: OPTION_ID })),
  pricing: nullable(refTo('ApplicationPricing')),
  insured: object({ name: nullable(text('The legal name.')), address }),
  broker: object({ email: text('The broker who owns the application.') }),
  policies: listOf(refTo('ApplicationPolicy'), 'What is financed.'),
  requirements,
  portal_url: webAddress('The application in the broker portal.'),
  client_reference_id: nullable(text("The caller's own id.")),
  metadata: pairs("The caller's own names and values."),
  created_at: instant('When it came in.'),
});

export const APPLICATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  ApplicationList: object({
    object: word('list', 'The kind of object.'),
    data: listOf(refTo('Application'), 'Newest first.'),
    has_more: yesOrNo('Whether another page follows.'),
    next_cursor: nullable(id('app_', 22, 'What to send as starting_after for the next page; null on the last.')),
  }),
  Application: described('A deal that is carried forward in the broker portal.', application),
  ApplicationPolicy: described('A policy of an application, as far as it is known.', policy),
  ApplicationPricing: described(
    "The terms that the broker priced; once the agreement is sent, the agreement's own. Null before pricing.",
    pricing,
  ),
};
