import { label, select } from '../promql.ts';
import type { Where } from '../promql.ts';
import type { METRICS, AttributeName, MetricName } from '../../../services/kit/src/telemetry/registry.ts';
import { ratioOf } from '../rules/burn-rates.ts';
import { OBJECTIVES } from '../rules/objectives.ts';

type Named<I extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['instrument'] extends I ? N : never;
}[MetricName];
type Label = AttributeName | 'job' | 'instance';

/** What the dashboard is narrowed to by its reader. */
const SHOWN = { namespace: { like: '$namespace' } } as const;
const OVER = '$__rate_interval';

/** How often per second a counter counts, by some of its labels. */
export function rateOf<N extends Named<'counter'>>(name: N, by: readonly Label[], where: Where<N> = {}): string {
  return `sum by (${by.map(label).join(', ')}) (rate(${select(name, { where: { ...where, ...SHOWN }, over: OVER })}))`;
}

/** How often per second a histogram gets a reading, by some of its labels. */
export function readingsOf<N extends Named<'histogram'>>(name: N, by: readonly Label[], where: Where<N> = {}): string {
  return `sum by (${by.map(label).join(', ')}) (rate(${bucketsOf(name, 'count', where)}))`;
}

/** What a share of the readings of a histogram stay below: `quantileOf(0.95, …)`. */
export function quantileOf<N extends Named<'histogram'>>(
  name: N,
  {
    quantile,
    by = [],
    where = {},
  }: { readonly quantile: number; readonly by?: readonly Label[]; readonly where?: Where<N> },
): string {
  const labels = ['le', ...by.map(label)].join(', ');
  return `histogram_quantile(${quantile}, sum by (${labels}) (rate(${bucketsOf(name, 'bucket', where)})))`;
}

/** The newest readings of a gauge: the largest, smallest or sum by some of its labels. */
export function newestOf<N extends Named<'gauge'>>(
  name: N,
  {
    of,
    by,
    where = {},
  }: { readonly of: 'max' | 'min' | 'sum'; readonly by: readonly Label[]; readonly where?: Where<N> },
): string {
  return `${of} by (${by.map(label).join(', ')}) (${select(name, { where: { ...where, ...SHOWN } })})`;
}

/** Of a month's budget of an objective, the share that the last three days would spend if they went on. */
export function burnOf(alert: string): string {
  const objective = OBJECTIVES.find((one) => one.alert === alert);
  if (objective === undefined) throw new Error(`no objective is watched by ${alert}`);
  return `max(${ratioOf(objective, '3d')}{namespace=~"$namespace"}) / ${objective.budget}`;
}

function bucketsOf<N extends MetricName>(name: N, part: 'bucket' | 'count', where: Where<N>): string {
  return select(name, { part, where: { ...where, ...SHOWN }, over: OVER });
}
