/** Every code that an entry of `details` can carry, once: it feeds the checks and the documentation. */
export const DETAIL_CODES = {
  REQUIRED: 'A required field is missing.',
  UNKNOWN_FIELD: 'The field does not exist here; the message names the nearest one that does.',
  INVALID_TYPE: 'The JSON type is wrong: money without quotes, a rate in quotes, null for a required field.',
  INVALID_FORMAT: 'The spelling is wrong: money, a date (one that does not exist too), a state, a NAIC code.',
  INVALID_VALUE: 'The value is not one of those allowed, is blank, or holds NUL or half of a surrogate pair.',
  OUT_OF_RANGE: 'The number, rate or amount is too low or too high.',
  TOO_LONG: 'The text has too many characters, counted as Unicode code points.',
  TOO_FEW: 'The list has too few items.',
  TOO_MANY: 'The list has too many items, or the metadata too many pairs.',
  EXACTLY_ONE_OF: 'Exactly one of several fields must be sent; none or more than one was.',
} as const;

export type DetailCode = keyof typeof DETAIL_CODES;
