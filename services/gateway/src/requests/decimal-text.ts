const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A number as people type it: "$1,200.5", "25%". Longer ones deserve no guess at what was meant. */
const TYPED_NUMBER = /^\s*\$?(-?\d[\d,]{0,15}(?:\.\d{1,10})?)\s*%?\s*$/;

/**
 * The exact value of a JSON number times ten to the power of `shift`, without exponent or needless zeros: "25e-2" is "0.25".
 * Null for what a double cannot hold (1e999, 1e-999), so that the answer is at most a few hundred digits longer than `text`.
 */
export function plainDecimal(text: string, shift = 0): string | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const double = Number(text);
  if (double === 0 || !Number.isFinite(double)) return null;
  const decimals = fraction.length - Number(exponent) - shift;
  const padded = digits.padStart(decimals + 1, '0') + '0'.repeat(Math.max(0, -decimals));
  const point = padded.length - Math.max(0, decimals);
  const kept = withoutTrailingZeros(padded.slice(point));
  return sign + padded.slice(0, point) + (kept === '' ? '' : `.${kept}`);
}

/** The JSON number that was likely meant by a text, if any: "$1,200.5" means 1200.5. */
export function typedNumber(text: string): string | undefined {
  return TYPED_NUMBER.exec(text.slice(0, 60))?.[1]?.replaceAll(',', '');
}

/** A loop, because /0+$/ takes quadratic time on long runs of zeros that do not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}
