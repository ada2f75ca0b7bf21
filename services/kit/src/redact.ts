/** What stands where something was taken out. */
const GONE = '[redacted]';

/** Longer texts are cut: an error that quotes a whole body helps nobody. */
const MOST_CHARACTERS = 2_000;

/** All that an email address may hold beside its one @. */
const LETTER = String.raw`[^\s\p{Cc}@<>",;:\\()[\]]`;

type Rule = { readonly find: RegExp; readonly put: string };

/** In this order: what is more exact goes first. */
const RULES: readonly Rule[] = [
  // JSON, from its first member to the end: where it ends cannot be known, because it may be cut off.
  { find: /[{[]\s*\\?["{[][^]*$/, put: GONE },
  // How JSON.parse quotes what it could not read.
  { find: /"[^]*"(?=(?:\.{3})? is not valid JSON)/, put: `"${GONE}"` },
  // How PostgreSQL quotes a value: `invalid input syntax for type integer: "…"`, `value "…" is out of range`.
  { find: /: "[^]*"/, put: `: "${GONE}"` },
  { find: /\bvalue "[^]*"/g, put: `value "${GONE}"` },
  { find: /\b(?<what>Key|row contains) \([^]*\)/g, put: `$<what> (${GONE})` },
  { find: /(?<![a-z0-9+.-])(?<scheme>[a-z0-9+.-]+:\/\/)[^\s/?#]+@/gi, put: `$<scheme>${GONE}@` },
  { find: /\b(?<kind>Bearer|Basic)\s+\S+/gi, put: `$<kind> ${GONE}` },
  {
    find: /(?<name>(?:password|passwd|pwd|secret|token|authorization|api[-_]?key|credential)s?["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&)]+)/gi,
    put: `$<name>${GONE}`,
  },
  { find: /\bpfq_(?<mode>live|test)_\w+/g, put: `pfq_$<mode>_${GONE}` },
  { find: /\/q\/[^\s/?#"')]+/g, put: `/q/${GONE}` },
  // Packages may have an @ too.
  { find: new RegExp(`(?<!${LETTER})${LETTER}+(?<!node_modules/|\\s')@${LETTER}+`, 'gu'), put: GONE },
  // Employer and personal tax numbers: 12-3456789, 123456789, 123-45-6789.
  { find: /(?<!\d)(?:\d{2}-?\d{7}|\d{3}-\d{2}-\d{4})(?!\d)/g, put: GONE },
  // Tokens of any other kind. The longest of our ids has 26 characters, a trace id 32.
  { find: /[\w-]{40,}/g, put: GONE },
];

/**
 * The last line of defence for texts that come from elsewhere, such as the messages of errors: keys, tokens, passwords,
 * addresses, tax numbers, quoted values and JSON are taken out. What we log ourselves must not hold them in the first place.
 */
export function redact(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return RULES.reduce((rest, { find, put }) => rest.replace(find, put), short);
}
