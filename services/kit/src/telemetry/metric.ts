import type { AttributeName } from './attributes.ts';

export type Metric = {
  readonly instrument: 'counter' | 'histogram' | 'gauge';
  /** UCUM: `s`, `By`, `1` for a ratio, `{thing}` for a count of things. */
  readonly unit: string;
  readonly brief: string;
  readonly attributes: readonly AttributeName[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};
