import { JsonObject } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import { toCents, ZERO_CENTS } from '@pfq/kit/money';
import { Place, validationFailed } from '@pfq/kit/problems';
import { flag } from './flag.ts';
import { list, refuseTooMany } from './lists.ts';
import { money } from './money.ts';
import { exactlyOneOf, limitedBy, object, optional } from './objects.ts';
import type { Infer } from './objects.ts';
import { rate } from './rate.ts';
import { check, described } from './schema.ts';
import { state } from './state.ts';
import { stringPairs } from './string-pairs.ts';
import { anyText, choice, date, digits, emptyOr, text } from './texts.ts';

const MAX_POLICIES = 25;
/** Of a policy. Each may earn a notice of its own in the quote, so their number bounds the answer. */
const MAX_FEES = 100;
const MAX_COVERAGES = 100;

/** The body of `POST /v1/quotes`. Money is in cents, a rate an exact decimal text, an absent field null. */
export type QuoteRequest = Infer<ReturnType<typeof quoteRequest>>;

/** Reads the body of `POST /v1/quotes`. Throws VALIDATION_FAILED with every problem; too many policies hide all others. */
export function parseQuoteRequest(body: JsonValue, coverageTypes: readonly string[]): QuoteRequest {
  refuseTooManyPolicies(body);
  const checked = check(quoteRequest(coverageTypes), body);
  if ('value' in checked) return checked.value;
  throw validationFailed(checked.problems);
}

function refuseTooManyPolicies(body: JsonValue): void {
  const policies = body instanceof JsonObject ? body.members.get('policies') : undefined;
  if (!Array.isArray(policies) || policies.length <= MAX_POLICIES) return;
  const place = Place.whole('The body').member('policies');
  refuseTooMany(place, { most: MAX_POLICIES, sent: policies.length });
  throw validationFailed(place.problems);
}

const metadata = described(
  "The caller's own names and values, returned unchanged.",
  stringPairs({ pairs: 20, name: 40, value: 500 }),
);

const insured = object({
  name: described('The legal name.', text(200)),
  dba: optional(described('The name the insured does business as.', anyText(200))),
  fein: optional(described('The federal employer identification number.', anyText(255))),
  address: object({
    line1: optional(described('Street and number; needed to bind.', anyText(200))),
    city: optional(described('City; needed to bind.', anyText(200))),
    state: described('A two-letter USPS code; only Texas is financed.', state),
    postal_code: optional(described('ZIP code; needed to bind.', anyText(255))),
  }),
});

const taxOrFee = object({
  amount: described('A tax or fee of 0.00 or more; it is financed.', money({ least: ZERO_CENTS })),
  description: optional(described('What it is for.', anyText(500))),
  earned: optional(described('False if it is refunded on cancellation; taken as true where absent.', flag)),
});

const carrier = object({
  name: described('The insurer, as the policy names it.', text(200)),
  naic_code: optional(described("The carrier's NAIC company code.", emptyOr(digits(5)))),
  am_best_id: optional(described('The AM Best number; it is looked up first.', anyText(255))),
});

const documentType = choice(['quote', 'binder', 'policy'], 'one of "quote", "binder" and "policy"');

/** The schema of the body; `coverageTypes` are the values that `coverages[].type` may have. */
export function quoteRequest(coverageTypes: readonly string[]) {
  const coverage = object({
    type: described(
      'The line of cover: `other` where none fits.',
      choice(coverageTypes, 'a type that GET /v1/coverage-types lists'),
    ),
    description: optional(described('What else there is to say of it.', anyText(500))),
  });
  const policy = object({
    premium: described('Above 0.00, without taxes and fees.', money({ least: toCents(1n) })),
    taxes_and_fees: optional(
      described(
        'All of them; where absent, only the premium is financed.',
        list(taxOrFee, { least: 0, most: MAX_FEES }),
      ),
    ),
    minimum_earned: limitedBy('premium', minimumEarned),
    effective_date: described('The first day of cover.', date),
    expiration_date: described('The day on which cover ends.', date),
    carrier: described('Who insures. Its AM Best rating is looked up by the service.', carrier),
    coverages: described('What is insured.', list(coverage, { least: 1, most: MAX_COVERAGES })),
    auditable: optional(described('Whether the premium is audited after the term; taken as true where absent.', flag)),
    document_type: optional(described('What the policy document is so far.', emptyOr(documentType))),
    policy_number: optional(described('Needed to bind.', anyText(255))),
    metadata: optional(metadata),
  });
  return object({
    broker_email: optional(described("The owning broker; where absent, the key's default broker.", text(255))),
    client_reference_id: optional(described("The caller's own id, returned unchanged.", anyText(255))),
    metadata: optional(metadata),
    insured: described('Who is insured, and borrows.', insured),
    policies: described('Financed together as one loan.', list(policy, { least: 1, most: MAX_POLICIES })),
  });
}

function minimumEarned(premium: unknown) {
  const most = typeof premium === 'bigint' ? { cents: toCents(premium), meaning: 'the premium' } : undefined;
  return described(
    'What the insurer keeps whenever the policy is cancelled: a fraction of the premium, or an amount.',
    exactlyOneOf({
      rate: described('A fraction: 0.25 is 25 %.', rate),
      amount: described('From 0.00 to the premium.', money({ least: ZERO_CENTS, most })),
    }),
  );
}
