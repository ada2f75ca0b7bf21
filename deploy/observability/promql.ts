import { prometheusName } from '../../services/kit/src/telemetry/metrics.ts';
import { METRICS } from '../../services/kit/src/telemetry/registry.ts';
import type { AttributeName, MetricName } from '../../services/kit/src/telemetry/registry.ts';

type PartOf<N extends MetricName> = (typeof METRICS)[N]['instrument'] extends 'histogram'
  ? { readonly part: 'bucket' | 'count' | 'sum' }
  : object;

/** A value, several between `|`, a pattern that fits (`like`), or one that does not (`unlike`). */
type Match = string | { readonly like: string } | { readonly unlike: string };

/** By attributes that a metric has, and by what Prometheus adds. */
export type Where<N extends MetricName> = {
  readonly [A in (typeof METRICS)[N]['attributes'][number] | 'job' | 'le' | 'namespace']?: Match;
};

type Selection<N extends MetricName> = PartOf<N> & {
  readonly where?: Where<N>;
  /** `5m`; absent for the newest value. */
  readonly over?: string;
  readonly offset?: string;
};

/** Series of a registered metric in PromQL, narrowed by attributes that it has. */
export function series<N extends MetricName>(name: N, selection: Selection<N>): string {
  return select(name, selection);
}

type AnySelection = {
  readonly part?: 'bucket' | 'count' | 'sum';
  readonly where?: Readonly<Record<string, Match | undefined>>;
  readonly over?: string;
  readonly offset?: string;
};

/** The same for those whose own types see to it that metric, part and attributes belong together. */
export function select(name: MetricName, { part, where = {}, over, offset }: AnySelection): string {
  const matchers = Object.entries(where).flatMap(([attribute, match]) =>
    match === undefined ? [] : [`${label(attribute)}${matcher(match)}`],
  );
  const narrowed = matchers.length === 0 ? '' : `{${matchers.join(',')}}`;
  const range = over === undefined ? '' : `[${over}]`;
  const past = offset === undefined ? '' : ` offset ${offset}`;
  return `${prometheusName(name)}${part === undefined ? '' : `_${part}`}${narrowed}${range}${past}`;
}

/** The label under which Prometheus has an attribute. */
export function label(attribute: string): string {
  return attribute.replaceAll('.', '_');
}

/** The value of an attribute of the alert at hand, for its words. */
export function value(attribute: AttributeName | 'job' | 'instance'): string {
  return `{{ $labels.${label(attribute)} }}`;
}

/**
 * The upper bound of a bucket in seconds. Prometheus 3 writes a whole one as `60.0`, older ones as the service does: `60`.
 */
export function upTo(seconds: number): Match {
  return Number.isInteger(seconds) ? { like: `${seconds}|${seconds}[.]0` } : String(seconds);
}

/**
 * How much counters have grown in a while, where they have grown. What counts for the first time appears with a value and
 * grows from nothing, which `increase` does not see.
 */
export function grown<N extends MetricName>(
  name: N,
  { by, over, where = {} }: { readonly by: readonly string[]; readonly over: string; readonly where?: Where<N> },
): string {
  const group = sumBy(by);
  const increased = `${group} (increase(${select(name, { where, over })})) > 0`;
  const appeared = `${group} (${select(name, { where })} unless ${select(name, { where, offset: over })}) > 0`;
  return `${increased}\nor\n${appeared}`;
}

/** `sum by (namespace, job)`: everything is told for each installation by itself. */
export function sumBy(attributes: readonly string[], operation = 'sum'): string {
  return `${operation} by (${['namespace', ...attributes.map(label)].join(', ')})`;
}

function matcher(match: Match): string {
  if (typeof match === 'string') return `="${match}"`;
  return 'like' in match ? `=~"${match.like}"` : `!~"${match.unlike}"`;
}
