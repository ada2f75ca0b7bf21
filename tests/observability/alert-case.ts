import { series } from '../../deploy/observability/promql.ts';

/** `OutboxLate page`. */
type Firing = string;

/** What Prometheus sees from minute to minute, and which alerts fire after how long: all of them, and no other. */
export type AlertCase = {
  readonly name: string;
  /** How often Prometheus evaluates the rules: what looks back for days is proved in bigger steps, or it takes minutes. */
  readonly evaluatedEvery: string;
  /** Series in promtool's notation, one value a minute. */
  readonly series: Readonly<Record<string, string>>;
  /** In order. Every alert has a case whose first check is before it fires, and whose last is after. */
  readonly checks: readonly { readonly at: string; readonly firing: readonly Firing[] }[];
};

const SERVICES = ['gateway', 'pricing', 'quote-store', 'application', 'notification', 'hosted-page'];
/** Longer than any case. */
const MINUTES = 12 * 60;

/** Every service as Prometheus sees it while all is well; a case puts its own series in their place. */
export const ALL_WELL: Readonly<Record<string, string>> = Object.fromEntries([
  ...SERVICES.map((service) => [`up{job="pfq/${service}",instance="a"}`, `1+0x${MINUTES}`]),
  ...SERVICES.map((service) => [
    `${series('pfq.ready', { where: { job: `pfq/${service}` } }).slice(0, -1)},instance="a"}`,
    `1+0x${MINUTES}`,
  ]),
  [series('pfq.rate_sheet.age', { where: { job: 'pfq/pricing' } }), `86400+0x${MINUTES}`],
]);

/** A value from minute to minute: so long, then so long another. `during([10, 0], [5, 1])` is ten minutes 0, then five 1. */
export function during(...parts: readonly (readonly [minutes: number, value: number])[]): string {
  return parts.map(([minutes, value]) => `${value}+0x${minutes - 1}`).join(' ');
}

/** A counter that grows by so much a minute, so long, then by another amount. */
export function growing(...parts: readonly (readonly [minutes: number, perMinute: number])[]): string {
  let total = 0;
  return parts
    .map(([minutes, perMinute]) => {
      const part = `${total}+${perMinute}x${minutes - 1}`;
      total += perMinute * minutes;
      return part;
    })
    .join(' ');
}
