import type { FractionText, MoneyText } from '../domain/quote.ts';

/** `14568.75` as `$14,568.75`, by its digits: nothing is computed, so nothing can be rounded. */
export function formatMoney(text: MoneyText): string {
  const [, sign, dollars, cents] = /^(-?)(\d+)\.(\d\d)$/.exec(text) ?? fail(text);
  return `${sign}$${dollars?.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

/** The fraction `0.1692` as `16.92%`: all of its digits, at least two after the point. */
export function formatRate(text: FractionText): string {
  const { whole, rest } = toPercent(text);
  return `${whole}.${rest.padEnd(2, '0')}%`;
}

/** The fraction `0.25` as `25%`: all of its digits, none that say nothing. */
export function formatShare(text: FractionText): string {
  const { whole, rest } = toPercent(text);
  const digits = rest.replace(/0+$/, '');
  return digits === '' ? `${whole}%` : `${whole}.${digits}%`;
}

/** Moves the point two places to the right. */
function toPercent(text: FractionText): { whole: string; rest: string } {
  const [, ones = '', digits = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? fail(text);
  const whole = `${ones}${digits.slice(0, 2).padEnd(2, '0')}`.replace(/^0+(?=\d)/, '');
  return { whole, rest: digits.slice(2) };
}

function fail(text: string): never {
  throw new Error(`${text} is no amount that the API writes`);
}
