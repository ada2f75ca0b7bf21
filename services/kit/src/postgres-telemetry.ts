import { summaryOf } from './postgres-summary.ts';
import { observe, record } from './telemetry/metrics.ts';
import { currentIds, errorTypeOf, inSpan, SpanKind } from './telemetry/spans.ts';

/** Where statements go, as their spans tell it. */
export type Place = {
  readonly 'db.system.name': 'postgresql';
  readonly 'db.namespace': string;
  readonly 'server.address': string;
  readonly 'server.port': number;
};

/** What of a pool of the driver is told in metrics. */
type Pool = {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

const USUAL_PORT = 5432;

/** Of an address such as `postgres://role:password@host:5432/database`. */
export function placeOf(url: string): Place {
  const { hostname, port, pathname } = new URL(url);
  return {
    'db.system.name': 'postgresql',
    'db.namespace': decodeURIComponent(pathname.slice(1)),
    'server.address': hostname,
    'server.port': port === '' ? USUAL_PORT : Number(port),
  };
}

/** One statement as a span, if there is a trace that it is part of, and as a reading of its duration. */
export async function tracedStatement<T>(place: Place, sql: string, work: () => Promise<T>): Promise<T> {
  const summary = summaryOf(sql);
  const startedMs = performance.now();
  let failure: string | undefined;
  try {
    return await asPartOfTrace(summary, { ...place, 'db.query.summary': summary }, work);
  } catch (error) {
    failure = errorTypeOf(error);
    throw error;
  } finally {
    record('db.client.operation.duration', (performance.now() - startedMs) / 1_000, {
      'db.system.name': place['db.system.name'],
      'db.query.summary': summary,
      'error.type': failure,
    });
  }
}

/** What nobody asked for, such as a look at a queue, begins no trace. */
function asPartOfTrace<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  if (currentIds().trace_id === undefined) return work();
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.set({ 'db.response.status_code': sqlStateOf(error) });
      throw error;
    }
  });
}

type SpanAttributes = Place & { readonly 'db.query.summary': string };

/** Code of an error that the server answered with; undefined for any other. */
function sqlStateOf(error: unknown): string | undefined {
  const isAnswer = error instanceof Error && 'severity' in error && 'code' in error;
  return isAnswer ? String(error.code) : undefined;
}

/** Takes a connection; the wait for one is a span of its own, unless one is idle that nobody waits for. */
export function tracedWait<T>(pool: Pool, { name, take }: { name: string; take: () => Promise<T> }): Promise<T> {
  if (pool.idleCount > pool.waitingCount || currentIds().trace_id === undefined) return take();
  const attributes = { 'db.client.connection.pool.name': name };
  return inSpan('wait for connection', { kind: SpanKind.INTERNAL, attributes }, take);
}

/** Tells what the connections of a pool do, under its name, until the function that it returns is called. */
export function observePool(pool: Pool, name: string): () => void {
  const attributes = { 'db.client.connection.pool.name': name };
  const inState = (state: 'idle' | 'used', value: number) => ({
    value,
    attributes: { ...attributes, 'db.client.connection.state': state },
  });
  const forget = [
    observe('db.client.connection.count', () => [
      inState('idle', pool.idleCount),
      inState('used', pool.totalCount - pool.idleCount),
    ]),
    observe('db.client.connection.limit', () => [{ value: pool.options.max, attributes }]),
    observe('db.client.connection.pending_requests', () => [{ value: pool.waitingCount, attributes }]),
  ];
  return () => forget.forEach((each) => each());
}
