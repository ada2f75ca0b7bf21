import { Code, ConnectError } from '@connectrpc/connect';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../../tests/support/failures.ts';
import { OutcomeUnknownError, ServiceError } from '../errors.ts';
import {
  connectNodeTransport,
  ourTransport,
  quoteStoreOn,
  startConnectNodeServer,
  startServer,
} from './rpc.test-support.ts';
import { fromWireError } from './status.ts';

/** A handler that says when it began and ends only when its signal fires, which it may have done before. */
function hangingHandler() {
  const began = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  let hasBegun = false;
  const handle = async (_request: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    if (signal.aborted) aborted.resolve();
    hasBegun = true;
    began.resolve();
    await aborted.promise;
    return {};
  };
  return { handle, began: began.promise, hasBegun: () => hasBegun, aborted: aborted.promise };
}

/** How a call ends whose time is over while it is handled: on a busy machine a short time is over before it is sent. */
async function failureInHandler(
  { hasBegun }: Pick<ReturnType<typeof hangingHandler>, 'hasBegun'>,
  call: (options: { readonly timeoutMs: number }) => Promise<unknown>,
): Promise<unknown> {
  for (let timeoutMs = 40; ; timeoutMs *= 2) {
    const failure = await failureOf(call({ timeoutMs }));
    if (hasBegun()) return failure;
  }
}

for (const { name, connect } of [
  { name: 'our client', connect: ourTransport },
  { name: "Connect's client", connect: connectNodeTransport },
]) {
  test(`${name}: cancelling a call reaches the handler's signal`, async (t) => {
    const { handle, began, aborted } = hangingHandler();
    const server = await startServer(t, { createQuote: handle });
    const controller = new AbortController();
    const call = failureOf(quoteStoreOn(connect(t, server.port)).createQuote({}, { signal: controller.signal }));
    await began;
    controller.abort();
    await aborted;
    assert.equal(ConnectError.from(await call).code, Code.Canceled);
  });

  test(`${name}: a deadline ends the call for both sides`, async (t) => {
    const hanging = hangingHandler();
    const server = await startServer(t, { createQuote: hanging.handle });
    const client = quoteStoreOn(connect(t, server.port));
    const failure = await failureInHandler(hanging, (options) => client.createQuote({}, options));
    assert.equal(ConnectError.from(failure).code, Code.DeadlineExceeded);
    await hanging.aborted;
  });

  test(`${name}: the handler sees what is left of the caller's time`, async (t) => {
    let left: number | undefined;
    const server = await startServer(t, {
      getQuote(_request, { timeoutMs }) {
        left = timeoutMs();
        return {};
      },
    });
    await quoteStoreOn(connect(t, server.port)).getQuote({}, { timeoutMs: 5_000 });
    assert.ok(left !== undefined && left > 3_000 && left <= 5_000, `${left} ms`);
  });
}

test('time shrinks from hop to hop', async (t) => {
  let left: number | undefined;
  const inner = await startServer(t, {
    getQuote(_request, { timeoutMs }) {
      left = timeoutMs();
      return {};
    },
  });
  const innerClient = quoteStoreOn(ourTransport(t, inner.port));
  const outer = await startServer(t, {
    async getQuote(request, context) {
      const timeoutMs = context.timeoutMs();
      return innerClient.getQuote(request, { ...(timeoutMs !== undefined && { timeoutMs }), signal: context.signal });
    },
  });
  await quoteStoreOn(ourTransport(t, outer.port)).getQuote({}, { timeoutMs: 2_000 });
  assert.ok(left !== undefined && left > 1_000 && left <= 2_000, `${left} ms`);
});

test('a call without a time limit gets ten seconds', async (t) => {
  let left: number | undefined;
  const server = await startServer(t, {
    getQuote(_request, { timeoutMs }) {
      left = timeoutMs();
      return {};
    },
  });
  await quoteStoreOn(ourTransport(t, server.port)).getQuote({});
  assert.ok(left !== undefined && left > 8_000 && left <= 10_000, `${left} ms`);
});

test('a time limit of 0 has passed already, and the call is never made', async (t) => {
  let calls = 0;
  const server = await startServer(t, {
    createQuote() {
      calls += 1;
      return {};
    },
  });
  const client = quoteStoreOn(ourTransport(t, server.port));
  await client.createQuote({});
  const failure = await failureOf(client.createQuote({}, { timeoutMs: 0 }));
  await client.createQuote({});
  assert.equal(calls, 2);
  assert.equal(ConnectError.from(failure).code, Code.DeadlineExceeded);
});

test("a deadline's error does not name the other side", async (t) => {
  const hanging = hangingHandler();
  const server = await startServer(t, { createQuote: hanging.handle });
  const client = quoteStoreOn(ourTransport(t, server.port));
  const failure = await failureInHandler(hanging, (options) => client.createQuote({}, options));
  assert.ok(failure instanceof ConnectError);
  assert.equal(failure.rawMessage, 'the deadline has passed');
});

test('a write past its deadline has an unknown outcome, a read changed nothing', async (t) => {
  const writing = hangingHandler();
  const reading = hangingHandler();
  const server = await startServer(t, { createQuote: writing.handle, getQuote: reading.handle });
  const client = quoteStoreOn(ourTransport(t, server.port));
  const write = fromWireError(await failureInHandler(writing, (options) => client.createQuote({}, options)));
  const read = fromWireError(await failureInHandler(reading, (options) => client.getQuote({}, options)));
  assert.ok(write instanceof OutcomeUnknownError);
  assert.ok(read instanceof ServiceError && read.code === 'SERVICE_UNAVAILABLE' && read.retryAfterSeconds === 30);
});

test("our client cancels a call on Connect's server", async (t) => {
  const { handle, began, aborted } = hangingHandler();
  const server = await startConnectNodeServer(t, { createQuote: handle });
  const controller = new AbortController();
  const client = quoteStoreOn(ourTransport(t, server.port));
  const call = failureOf(client.createQuote({}, { signal: controller.signal }));
  await began;
  controller.abort();
  await aborted;
  assert.equal(ConnectError.from(await call).code, Code.Canceled);
});

test('a call whose maker has already given up is never made', async (t) => {
  const server = await startServer(t, {});
  const failure = await failureOf(
    quoteStoreOn(ourTransport(t, server.port)).createQuote({}, { signal: AbortSignal.abort() }),
  );
  assert.equal(ConnectError.from(failure).code, Code.Canceled);
  assert.deepEqual(server.logged, []);
});

test('a handler that fails because its caller gave up is no error in the log', async (t) => {
  const { handle, began } = hangingHandler();
  const server = await startServer(t, {
    async createQuote(request, context) {
      await handle(request, context);
      throw new Error('aborted');
    },
  });
  const controller = new AbortController();
  const call = failureOf(quoteStoreOn(ourTransport(t, server.port)).createQuote({}, { signal: controller.signal }));
  await began;
  controller.abort();
  await call;
  await server.stop();
  assert.deepEqual(
    server.logged.map(({ level }) => level),
    ['debug'],
  );
});
