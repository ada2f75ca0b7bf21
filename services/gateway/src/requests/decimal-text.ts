const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The exact value of a JSON number, shifted by `shift` powers of ten, without exponent or needless zeros: "25e-2" is "0.25".
 * Null where a double could not hold it, as for 1e999 and 1e-999; so the answer is never much longer than `text`.
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

/** A loop, because /0+$/ takes quadratic time on long runs of zeros that do not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}
