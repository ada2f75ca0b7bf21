import { Problem } from './problem.ts';

/** The Kafka of PFQ_EVENTS_URL; null where events need none. The address may hold a password, so it is never repeated. */
export function chooseKafka({ PFQ_EVENTS_URL: url }: Readonly<Record<string, string | undefined>>): string | null {
  if (url === undefined || url === '') return null;
  if (/^kafkas?:\/\//.test(url)) return url;
  throw new Problem('PFQ_EVENTS_URL must be kafka://host:port or kafkas://host:port; without it no Kafka is needed.');
}
