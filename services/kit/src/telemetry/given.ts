import type { Attributes } from '@opentelemetry/api';

/** Attributes without those that are undefined: exporters would print them as empty. */
export function given(attributes: object): Attributes {
  const present: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) present[name] = value;
  return present;
}
