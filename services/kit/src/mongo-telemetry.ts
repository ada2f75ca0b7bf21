import { observe, record } from './telemetry/metrics.ts';
import type { Attributes } from './telemetry/registry.ts';
import { currentIds, errorTypeOf, inSpan, SpanKind } from './telemetry/spans.ts';

type Started = {
  readonly requestId: number;
  readonly commandName: string;
  readonly databaseName: string;
  /** `host:port`. */
  readonly address: string;
  readonly command: Readonly<Record<string, unknown>>;
};
type Ended = { readonly requestId: number };
type Failed = Ended & { readonly failure: Error };

/** What of the driver's client is listened to. */
type Client = {
  on(event: 'commandStarted', tell: (event: Started) => void): unknown;
  on(event: 'commandSucceeded', tell: (event: Ended) => void): unknown;
  on(event: 'commandFailed', tell: (event: Failed) => void): unknown;
  on(event: PoolEvent, tell: () => void): unknown;
};
type PoolEvent =
  | 'connectionCreated'
  | 'connectionClosed'
  | 'connectionCheckOutStarted'
  | 'connectionCheckOutFailed'
  | 'connectionCheckedOut'
  | 'connectionCheckedIn';

type UnderWay = { readonly summary: string; readonly startedMs: number; readonly end: (failure?: Error) => void };

const POOL = { 'db.client.connection.pool.name': 'requests' };
const SYSTEM = { 'db.system.name': 'mongodb' } as const satisfies Attributes;

/** Tells of every operation and of the connections of a client, until the function that it returns is called. */
export function observeMongo(client: Client, { poolSize }: { readonly poolSize: number }): () => void {
  const underWay = new Map<number, UnderWay>();
  const end = (requestId: number, failure?: Error) => {
    const operation = underWay.get(requestId);
    if (!operation) return;
    underWay.delete(requestId);
    operation.end(failure);
    record('db.client.operation.duration', (performance.now() - operation.startedMs) / 1_000, {
      ...SYSTEM,
      'db.query.summary': operation.summary,
      'error.type': failure && errorTypeOf(failure),
    });
  };
  client.on('commandStarted', (event) => void underWay.set(event.requestId, begin(event)));
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));
  return observeConnections(client, poolSize);
}

/** A span that lasts until `end`, where there is a trace for it to be part of. */
function begin(event: Started): UnderWay {
  const { commandName: operation, command } = event;
  const target = command[operation === 'getMore' ? 'collection' : operation];
  const collection = typeof target === 'string' ? target : undefined;
  const summary = collection === undefined ? operation : `${operation} ${collection}`;
  const started = { summary, startedMs: performance.now() };
  if (currentIds().trace_id === undefined) return { ...started, end: () => {} };
  const attributes = {
    ...SYSTEM,
    ...addressOf(event),
    'db.namespace': event.databaseName,
    'db.operation.name': operation,
    'db.collection.name': collection,
    'db.query.summary': summary,
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = inSpan(summary, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    await promise.catch((error: unknown) => {
      span.set({ 'db.response.status_code': serverCodeOf(error) });
      throw error;
    });
  });
  // Whoever wanted the operation learns of its failure from the driver.
  ended.catch(() => {});
  return { ...started, end: (failure) => (failure ? reject(failure) : resolve()) };
}

function addressOf({ address }: Started) {
  const colon = address.lastIndexOf(':');
  return { 'server.address': address.slice(0, colon), 'server.port': Number(address.slice(colon + 1)) };
}

function serverCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? `${error.code}` : undefined;
}

function observeConnections(client: Client, poolSize: number): () => void {
  let [open, used, awaited] = [0, 0, 0];
  client.on('connectionCreated', () => (open += 1));
  client.on('connectionClosed', () => (open -= 1));
  client.on('connectionCheckOutStarted', () => (awaited += 1));
  client.on('connectionCheckOutFailed', () => (awaited -= 1));
  client.on('connectionCheckedOut', () => {
    awaited -= 1;
    used += 1;
  });
  client.on('connectionCheckedIn', () => (used -= 1));
  const inState = (state: 'idle' | 'used', value: number) => ({
    value,
    attributes: { ...POOL, 'db.client.connection.state': state },
  });
  const forget = [
    observe('db.client.connection.count', () => [inState('idle', open - used), inState('used', used)]),
    observe('db.client.connection.limit', () => [{ value: poolSize, attributes: POOL }]),
    observe('db.client.connection.pending_requests', () => [{ value: awaited, attributes: POOL }]),
  ];
  return () => forget.forEach((each) => each());
}
