import type { JsonValue } from '@pfq/kit/json';
import { validationFailed } from '@pfq/kit/problems';
import { object, optional } from './objects.ts';
import type { Infer } from './objects.ts';
import { check, described } from './schema.ts';
import type { Schema } from './schema.ts';
import { anyText, text } from './texts.ts';

const MAX_NOTE_LENGTH = 500;

/** The body of `POST /v1/quotes/{id}/hosted-link`: nothing. */
export const linkRequest = object({});

/** The body of `POST /v1/test_helpers/quotes/{id}/interest`. */
export const interestRequest = object({
  option_id: described("The chosen option: the `id` of one of the quote's options.", text(255)),
  note: optional(described('What the insured would write to the broker.', anyText(MAX_NOTE_LENGTH))),
});

/** Throws VALIDATION_FAILED with every problem where the body is more than nothing. */
export function parseLinkRequest(body: JsonValue): void {
  parse(linkRequest, body);
}

/** Throws VALIDATION_FAILED with every problem; a note that is absent is null. */
export function parseInterestRequest(body: JsonValue): Infer<typeof interestRequest> {
  return parse(interestRequest, body);
}

function parse<T>(schema: Schema<T>, body: JsonValue): T {
  const checked = check(schema, body);
  if ('value' in checked) return checked.value;
  throw validationFailed(checked.problems);
}
