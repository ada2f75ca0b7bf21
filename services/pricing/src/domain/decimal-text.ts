import { fraction, type Fraction } from './fraction.ts';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const BASIS_POINT_DECIMALS = 4;
/** Longer decimals are refused where an operator writes them: no rate means anything beyond. */
const MAX_DECIMALS = 18;
const MAX_WHOLE_DIGITS = 9;

type DecimalParts = { readonly negative: boolean; readonly digits: string; readonly exponent: number };

/**
 * Reads the text of a JSON number exactly, over a power of ten: "0.040" is 4/100, "25e-2" is 25/100.
 * Null for other text and for more than 9 digits before or 18 after the decimal point.
 */
export function parseDecimal(text: string): Fraction | null {
  const parts = readParts(text);
  if (parts === null) return null;
  if (parts.digits === '') return fraction(0n, 1n);
  if (parts.exponent < -MAX_DECIMALS || parts.digits.length + parts.exponent > MAX_WHOLE_DIGITS) return null;
  const magnitude = BigInt(parts.digits);
  const numerator = parts.negative ? -magnitude : magnitude;
  return parts.exponent < 0
    ? fraction(numerator, 10n ** BigInt(-parts.exponent))
    : fraction(numerator * 10n ** BigInt(parts.exponent), 1n);
}

/** Writes a fraction over a power of ten without needless zeros: 400/10000 is "0.04", -5/10 is "-0.5". */
export function formatDecimal(value: Fraction): string {
  const decimals = value.denominator.toString().length - 1;
  const magnitude = value.numerator < 0n ? -value.numerator : value.numerator;
  const digits = magnitude.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = trimTrailingZeros(digits.slice(digits.length - decimals));
  return `${value.numerator < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/**
 * Rounds the text of a JSON number up to whole basis points: "0.25" is 2500, "0.25001" is 2501, "1e-999" is 1.
 * Works on the digits, so no exponent is too large. Null for a rate below 0 or above 1.
 */
export function roundUpToBasisPoints(text: string): number | null {
  const parts = readParts(text);
  if (parts === null) return null;
  if (parts.digits === '') return 0;
  if (parts.negative) return null;
  const shift = parts.exponent + BASIS_POINT_DECIMALS;
  const wholeLength = parts.digits.length + shift;
  if (wholeLength > BASIS_POINT_DECIMALS + 1) return null;
  if (wholeLength <= 0) return 1;
  const whole = Number(parts.digits.slice(0, wholeLength).padEnd(wholeLength, '0'));
  const basisPoints = parts.digits.length > wholeLength ? whole + 1 : whole;
  return basisPoints > 10_000 ? null : basisPoints;
}

/** Writes basis points as a percentage without trailing zeros: 2512 is "25.12%", 9000 is "90%". */
export function formatPercent(basisPoints: number): string {
  return `${formatDecimal(fraction(BigInt(basisPoints), 100n))}%`;
}

/** Significant digits without zeros at either end, and the power of ten they are multiplied by. */
function readParts(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = match;
  const untrimmed = trimLeadingZeros(whole + decimals);
  const digits = trimTrailingZeros(untrimmed);
  return {
    negative: sign === '-' && digits !== '',
    digits,
    exponent: Number(exponent) - decimals.length + (untrimmed.length - digits.length),
  };
}

function trimLeadingZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** Not a regular expression: those look again from every zero inside and take quadratic time. */
function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
