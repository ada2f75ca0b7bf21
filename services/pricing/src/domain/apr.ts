import type { Cents } from '@pfq/kit/money';
import { addMonths, daysBetween, isLastDayOfMonth, lastDayOfMonth, wholeMonthsBetween } from './calendar.ts';
import { fraction, type Fraction } from './fraction.ts';
import { comparePresentValue } from './present-value.ts';

/** The regular distance between payments; `count` of 1 to 12 months, or of weeks. A semi-month is half a month. */
export type UnitPeriod =
  | { readonly kind: 'months'; readonly count: number }
  | { readonly kind: 'semi-month' }
  | { readonly kind: 'weeks'; readonly count: number };

/** One advance, paid back one unit-period apart from the first due date on; a skipped payment is zero. */
export type Schedule = {
  readonly advance: Cents;
  readonly advanceDate: string;
  readonly payments: readonly Cents[];
  readonly firstDueDate: string;
  readonly unitPeriod: UnitPeriod;
};

/** Where the first payment falls, in unit-periods after the advance, and how many of these make a year. */
type Timing = { readonly wholePeriods: number; readonly fraction: Fraction; readonly periodsPerYear: Fraction };

const HALF_BASIS_POINTS_PER_ONE = 20_000n;
const DAYS_PER_YEAR = 365;
const DAYS_PER_MONTH = 30;
const DAYS_PER_SEMI_MONTH = 15;
const DAYS_PER_WEEK = 7;
const WEEKS_PER_YEAR = 52;
const MONTHS_PER_YEAR = 12;

/**
 * The annual percentage rate in basis points, half-up of the exact value, by the actuarial method of Regulation Z
 * (12 CFR 1026, Appendix J). A single payment makes its own unit-period: the term, or a year beyond a year.
 * Throws RangeError where no rate of zero or more exists.
 */
export function annualPercentageRate(schedule: Schedule): number {
  requireInterest(schedule);
  const { advance, payments } = schedule;
  const { wholePeriods, fraction: partPeriod, periodsPerYear } = timeFirstPayment(schedule);
  const isAtLeast = (halfBasisPoints: bigint): boolean => {
    const periodRate = fraction(
      halfBasisPoints * periodsPerYear.denominator,
      HALF_BASIS_POINTS_PER_ONE * periodsPerYear.numerator,
    );
    return comparePresentValue({ advance, payments, wholePeriods, fraction: partPeriod, periodRate }) >= 0;
  };
  let above = 1n;
  while (isAtLeast(2n * above - 1n)) above *= 2n;
  let reached = above / 2n;
  while (above - reached > 1n) {
    const middle = (above + reached) / 2n;
    if (isAtLeast(2n * middle - 1n)) reached = middle;
    else above = middle;
  }
  return Number(reached);
}

function requireInterest({ advance, payments, advanceDate, firstDueDate }: Schedule): void {
  const total = payments.reduce((sum, payment) => sum + payment, 0n);
  if (advance <= 0n || payments.some((payment) => payment < 0n) || total < advance) {
    throw new RangeError('An APR needs an advance above zero and payments that add up to it at least.');
  }
  if (daysBetween(advanceDate, firstDueDate) <= 0) {
    throw new RangeError('An APR needs a first payment due after the advance.');
  }
}

function timeFirstPayment({ advanceDate, firstDueDate, payments, unitPeriod }: Schedule): Timing {
  if (payments.length === 1) return timeSinglePayment(advanceDate, firstDueDate);
  if (unitPeriod.kind === 'weeks') {
    const days = daysBetween(advanceDate, firstDueDate);
    return divide({
      days,
      daysPerPeriod: DAYS_PER_WEEK * unitPeriod.count,
      perYear: [WEEKS_PER_YEAR, unitPeriod.count],
    });
  }
  if (unitPeriod.kind === 'months' && unitPeriod.count === MONTHS_PER_YEAR)
    return timeInYears(advanceDate, firstDueDate);
  const { months, days } = countBack(advanceDate, firstDueDate);
  const regularDays = months * DAYS_PER_MONTH + days;
  if (unitPeriod.kind === 'semi-month') {
    return divide({ days: regularDays, daysPerPeriod: DAYS_PER_SEMI_MONTH, perYear: [2 * MONTHS_PER_YEAR, 1] });
  }
  const { count } = unitPeriod;
  const wholePeriods = Math.floor(months / count);
  const restDays = (months % count) * DAYS_PER_MONTH + days;
  return timing(wholePeriods, { part: [restDays, DAYS_PER_MONTH * count], perYear: [MONTHS_PER_YEAR, count] });
}

/** The unit-period of at most a year is the whole term: counted in months where it is whole months, else in days. */
function timeSinglePayment(advanceDate: string, dueDate: string): Timing {
  if (daysBetween(addMonths(advanceDate, MONTHS_PER_YEAR), dueDate) > 0) return timeInYears(advanceDate, dueDate);
  const { months, days } = countBack(advanceDate, dueDate);
  const perYear: Ratio = days === 0 ? [MONTHS_PER_YEAR, months] : [DAYS_PER_YEAR, daysBetween(advanceDate, dueDate)];
  return timing(1, { part: [0, 1], perYear });
}

function timeInYears(advanceDate: string, dueDate: string): Timing {
  const { months, days } = countBack(advanceDate, dueDate);
  const years = Math.floor(months / MONTHS_PER_YEAR);
  const restMonths = months % MONTHS_PER_YEAR;
  if (days === 0) return timing(years, { part: [restMonths, MONTHS_PER_YEAR], perYear: [1, 1] });
  const restDays = daysBetween(advanceDate, goBack(dueDate, years * MONTHS_PER_YEAR));
  return timing(years, { part: [restDays, DAYS_PER_YEAR], perYear: [1, 1] });
}

/** Whole months counted back from the due date, and the days from the advance to where they begin. */
function countBack(advanceDate: string, dueDate: string): { months: number; days: number } {
  const forward = wholeMonthsBetween(advanceDate, dueDate);
  if (addMonths(advanceDate, forward) === dueDate) return { months: forward, days: 0 };
  const reaches = daysBetween(advanceDate, goBack(dueDate, forward)) >= 0;
  const months = reaches ? forward : forward - 1;
  return { months, days: daysBetween(advanceDate, goBack(dueDate, months)) };
}

/** Payments due on a month's last day go back from last day to last day. */
function goBack(dueDate: string, months: number): string {
  const date = addMonths(dueDate, -months);
  return isLastDayOfMonth(dueDate) ? lastDayOfMonth(date) : date;
}

type Ratio = readonly [numerator: number, denominator: number];

function divide({ days, daysPerPeriod, perYear }: { days: number; daysPerPeriod: number; perYear: Ratio }): Timing {
  return timing(Math.floor(days / daysPerPeriod), { part: [days % daysPerPeriod, daysPerPeriod], perYear });
}

function timing(wholePeriods: number, { part, perYear }: { part: Ratio; perYear: Ratio }): Timing {
  return { wholePeriods, fraction: toFraction(part), periodsPerYear: toFraction(perYear) };
}

function toFraction([numerator, denominator]: Ratio): Fraction {
  return fraction(BigInt(numerator), BigInt(denominator));
}
