import { OBJECTIVES } from './objectives.ts';
import type { Objective } from './objectives.ts';
import type { Alert, Group, Recording, Severity } from './rule.ts';

/**
 * How much faster than allowed a month's budget may go before somebody is told, and over which windows: the short one lets
 * an alert end soon after its cause. Google, The Site Reliability Workbook, table 5-6.
 */
const BURNS: Readonly<Record<Severity, readonly Burn[]>> = {
  page: [
    { factor: 14.4, long: '1h', short: '5m' },
    { factor: 6, long: '6h', short: '30m' },
  ],
  ticket: [
    { factor: 3, long: '1d', short: '2h' },
    { factor: 1, long: '3d', short: '6h' },
  ],
};

type Burn = { readonly factor: number; readonly long: string; readonly short: string };

const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];
/** A night with ten requests is no reason to wake somebody for one of them. */
const LEAST_TO_WAKE = 3;
const SECONDS: Readonly<Record<string, number>> = { '1h': 3_600, '6h': 21_600 };

/** For each objective the share that went wrong, over every window that alerts look at. */
export const RECORDINGS: Group = {
  name: 'pfq-objectives',
  rules: OBJECTIVES.flatMap((objective) => WINDOWS.map((window) => recordRatio(objective, window))),
};

/** Alerts on objectives that are going to be missed. */
export const BURN_ALERTS: Group = {
  name: 'pfq-budgets',
  rules: OBJECTIVES.flatMap((objective) => [burnAlert(objective, 'page'), burnAlert(objective, 'ticket')]),
};

/** The name of the recorded share: of everything in the window, this went wrong. Absent where there was nothing. */
export function ratioOf({ slug }: Pick<Objective, 'slug'>, window: string): string {
  return `namespace:pfq_${slug}:ratio_rate${window}`;
}

/** Where nothing ever went wrong there is no series of it, which is a share of nothing. */
function recordRatio(objective: Objective, window: string): Recording {
  const all = objective.all(window);
  const expr = `(\n  (${objective.bad(window)})\n  or\n  0 * ${all}\n)\n/\n(${all} > 0)`;
  return { record: ratioOf(objective, window), expr };
}

function burnAlert(objective: Objective, severity: Severity): Alert {
  const { alert, budget, what, usersNotice } = objective;
  const expr = BURNS[severity].map((burn) => burns(objective, burn, severity)).join('\nor\n');
  const urgency = { page: 'fast enough to spend the budget of a month in days', ticket: 'faster than allowed' }[
    severity
  ];
  return {
    alert,
    severity,
    expr,
    summary: `${what}, ${urgency}`,
    description: `${usersNotice} It is the case for {{ $value | humanizePercentage }} of them; ${percent(budget)} may be.`,
  };
}

function burns(objective: Objective, { factor, long, short }: Burn, severity: Severity): string {
  const limit = Number((factor * objective.budget).toPrecision(6));
  const burning = `${ratioOf(objective, long)} > ${limit}\nand\n${ratioOf(objective, short)} > ${limit}`;
  if (severity === 'ticket') return `(\n${indent(burning)}\n)`;
  const count = `${SECONDS[long]} * (${objective.bad(long)})`;
  return `(\n${indent(`${burning}\nand on (namespace)\n${count} > ${LEAST_TO_WAKE - 0.5}`)}\n)`;
}

function indent(lines: string): string {
  return lines.replaceAll(/^/gm, '  ');
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(6))} %`;
}
