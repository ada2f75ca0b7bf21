/** A day of the real (Gregorian) calendar as `YYYY-MM-DD`. Times of day and time zones do not exist here. */
type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS_PER_YEAR = 12;

export function isRealDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const { year, month, day } = readDate(text);
  return month >= 1 && month <= MONTHS_PER_YEAR && day >= 1 && day <= daysInMonth(year, month);
}

/** Whole days from the first date to the second; negative where the second comes first. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(readDate(to)) - dayNumber(readDate(from));
}

/** The same day `months` later (earlier when negative), held to that month's last: 2026-11-30 plus 3 is 2027-02-28. */
export function addMonths(date: string, months: number): string {
  return formatDate(shiftMonths(readDate(date), months));
}

/** The largest k of zero or more for which `from` plus k calendar months is not after `to`. */
export function wholeMonthsBetween(from: string, to: string): number {
  const [start, end] = [readDate(from), readDate(to)];
  const apart = (end.year - start.year) * MONTHS_PER_YEAR + end.month - start.month;
  const reached = dayNumber(shiftMonths(start, apart)) <= dayNumber(end);
  return Math.max(0, reached ? apart : apart - 1);
}

export function isLastDayOfMonth(date: string): boolean {
  const { year, month, day } = readDate(date);
  return day === daysInMonth(year, month);
}

export function lastDayOfMonth(date: string): string {
  const { year, month } = readDate(date);
  return formatDate({ year, month, day: daysInMonth(year, month) });
}

function readDate(date: string): CalendarDay {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

function formatDate({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function shiftMonths({ year, month, day }: CalendarDay, months: number): CalendarDay {
  const index = year * MONTHS_PER_YEAR + month - 1 + months;
  const target = { year: Math.floor(index / MONTHS_PER_YEAR), month: (index % MONTHS_PER_YEAR) + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** Days since 0000-03-01: with March as the first month, the leap day comes last and months follow one straight line. */
function dayNumber({ year, month, day }: CalendarDay): number {
  const [marchYear, marchMonth] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + day - 1;
}
