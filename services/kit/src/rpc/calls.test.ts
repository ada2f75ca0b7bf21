import { Code, ConnectError } from '@connectrpc/connect';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../../tests/support/failures.ts';
import { callerHeaders, callerOf, tenantOf } from '../caller.ts';
import { ServiceError } from '../errors.ts';
import { operatorHeaders } from './operator-credential.ts';
import {
  agenciesOn,
  connectNodeTransport,
  OPERATOR_TOKEN,
  ourTransport,
  quoteStoreOn,
  startConnectNodeServer,
  startServer,
} from './rpc.test-support.ts';
import { fromWireError } from './status.ts';

const pairs = [
  { name: 'our client and our server', start: startServer, connect: ourTransport },
  { name: "Connect's client and our server", start: startServer, connect: connectNodeTransport },
  { name: "our client and Connect's server", start: startConnectNodeServer, connect: ourTransport },
];

const VALIDATION_FAILED = new ServiceError('VALIDATION_FAILED', {
  message: 'Zwölf Prämien sind zu viel — 100%.',
  param: 'policies[0].premium',
  details: [
    { code: 'OUT_OF_RANGE', param: 'policies[0].premium', message: 'Send a positive amount.' },
    { code: 'INVALID_TYPE', message: 'Send an object.' },
  ],
});
const RATE_LIMITED = new ServiceError('RATE_LIMITED', { message: 'Wait a moment.', retryAfterSeconds: 17 });

for (const { name, start, connect } of pairs) {
  test(`${name}: answers, headers and trailers arrive`, async (t) => {
    const server = await start(t, {
      getQuote({ quoteId, brokerId }, context) {
        context.responseHeader.set('pfq-note', 'first');
        context.responseTrailer.set('pfq-after-bin', 'AAECAw==');
        const seen = [context.requestHeader.get('pfq-word'), context.requestHeader.get('pfq-data-bin')].join('|');
        return { quote: { quoteId: `${quoteId}:${brokerId}:${seen}`, status: QuoteStatus.ACTIVE } };
      },
    });
    const seen: Record<string, string | null> = {};
    const { quote } = await quoteStoreOn(connect(t, server.port)).getQuote(
      { quoteId: 'qte_é', brokerId: 'brk_1' },
      {
        headers: { 'pfq-word': 'one', 'pfq-data-bin': '/+4=' },
        onHeader: (header) => (seen['header'] = header.get('pfq-note')),
        onTrailer: (trailer) => (seen['trailer'] = trailer.get('pfq-after-bin')),
      },
    );
    assert.equal(quote?.quoteId, 'qte_é:brk_1:one|/+4=');
    assert.equal(quote?.status, QuoteStatus.ACTIVE);
    assert.deepEqual(seen, { header: 'first', trailer: 'AAECAw==' });
  });

  test(`${name}: a ServiceError comes out as it went in`, async (t) => {
    const server = await start(t, {
      createQuote() {
        throw VALIDATION_FAILED;
      },
      getQuote() {
        throw RATE_LIMITED;
      },
    });
    const client = quoteStoreOn(connect(t, server.port));
    const refused = await failureOf(client.createQuote({}));
    const limited = await failureOf(client.getQuote({}));
    assert.equal(ConnectError.from(refused).code, Code.InvalidArgument);
    assert.equal(ConnectError.from(limited).code, Code.ResourceExhausted);
    assert.deepEqual(partsOf(fromWireError(refused)), partsOf(VALIDATION_FAILED));
    assert.deepEqual(partsOf(fromWireError(limited)), partsOf(RATE_LIMITED));
  });

  test(`${name}: a bug of the handler becomes INTERNAL and tells nothing`, async (t) => {
    const server = await start(t, {
      getQuote() {
        throw new TypeError('secret://user:password@host is not a function');
      },
    });
    const failure = await failureOf(quoteStoreOn(connect(t, server.port)).getQuote({}));
    assert.equal(ConnectError.from(failure).code, Code.Internal);
    assert.deepEqual(
      partsOf(fromWireError(failure)),
      partsOf(new ServiceError('INTERNAL', { message: 'Unexpected error.' })),
    );
    assert.doesNotMatch(ConnectError.from(failure).message, /secret|password/);
  });

  test(`${name}: five megabytes pass both ways`, async (t) => {
    const server = await start(t, {
      getQuote: (request) => ({ quote: { quoteId: request.quoteId } }),
    });
    const quoteId = 'x'.repeat(5 * 1024 * 1024);
    const { quote } = await quoteStoreOn(connect(t, server.port)).getQuote({ quoteId });
    assert.equal(quote?.quoteId.length, quoteId.length);
  });
}

test('a handler learns who calls, on whose behalf, and at which address', async (t) => {
  let seen: unknown;
  const server = await startServer(t, {
    getQuote(_request, context) {
      seen = { tenant: tenantOf(context), caller: callerOf(context), url: context.url, method: context.method.name };
      return {};
    },
  });
  const caller = { requestId: 'req_1', tenant: { agencyId: 'agy_1', mode: 'test' as const } };
  for (const connect of [ourTransport, connectNodeTransport]) {
    await quoteStoreOn(connect(t, server.port)).getQuote({}, { headers: callerHeaders(caller) });
    assert.deepEqual(seen, {
      tenant: caller.tenant,
      caller,
      url: `http://127.0.0.1:${server.port}/pfq.quotestore.v1.QuoteStoreService/GetQuote`,
      method: 'GetQuote',
    });
  }
});

test('a call on tenant data without agency and mode is a bug of its maker', async (t) => {
  const server = await startServer(t, {
    getQuote: (_request, context) => ({ quote: { quoteId: tenantOf(context).mode } }),
  });
  const failure = await failureOf(
    quoteStoreOn(ourTransport(t, server.port)).getQuote({}, { headers: { 'pfq-mode': 'test' } }),
  );
  assert.equal(codeOf(failure), 'INTERNAL');
});

test('a bug is logged under the request id, and a refusal with a cause too, but not a plain refusal', async (t) => {
  const server = await startServer(t, {
    createQuote() {
      throw new ServiceError('SERVICE_UNAVAILABLE', { message: 'Later.', cause: new Error('the disk is full') });
    },
    getQuote({ quoteId }) {
      if (quoteId === '') throw new ServiceError('NOT_FOUND', { message: 'No such quote.' });
      throw new TypeError('undefined is not a function');
    },
  });
  const client = quoteStoreOn(ourTransport(t, server.port));
  const headers = callerHeaders({ requestId: 'req_7' });
  await failureOf(client.getQuote({}, { headers }));
  await failureOf(client.getQuote({ quoteId: 'x' }, { headers }));
  await failureOf(client.createQuote({}, { headers }));
  assert.deepEqual(
    server.logged.map(({ level, rpc, request_id }) => ({ level, rpc, request_id })),
    [
      { level: 'error', rpc: 'pfq.quotestore.v1.QuoteStoreService/GetQuote', request_id: 'req_7' },
      { level: 'warn', rpc: 'pfq.quotestore.v1.QuoteStoreService/CreateQuote', request_id: 'req_7' },
    ],
  );
  assert.match(server.logged[0]?.err?.stack ?? '', /undefined is not a function/);
  assert.match(server.logged[1]?.err?.stack ?? '', /the disk is full/);
});

test('an answer that cannot be encoded is a bug like any other', async (t) => {
  const server = await startServer(t, { listAgencies: () => ({ agencies: [{ createdAt: { seconds: 2n ** 70n } }] }) });
  const headers = operatorHeaders({ token: OPERATOR_TOKEN, actor: 'ann' });
  const failure = await failureOf(agenciesOn(ourTransport(t, server.port)).listAgencies({}, { headers }));
  assert.equal(codeOf(failure), 'INTERNAL');
  assert.equal(server.logged[0]?.level, 'error');
});

test('an error whose text holds half a character still arrives', async (t) => {
  const server = await startServer(t, {
    getQuote({ quoteId }) {
      const message = `No quote ${quoteId}\ud800.`;
      throw new ServiceError('VALIDATION_FAILED', { message, param: '\udfff', details: [{ code: 'X', message }] });
    },
  });
  const failure = fromWireError(await failureOf(quoteStoreOn(ourTransport(t, server.port)).getQuote({})));
  assert.ok(failure instanceof ServiceError);
  assert.equal(failure.message, 'No quote \ufffd.');
});

test('an error with more problems than fit arrives with the first ones and counts the rest', async (t) => {
  const details = Array.from({ length: 9000 }, (_, line) => ({
    code: 'INVALID_FORMAT',
    message: `Line ${line} is bäd.`,
  }));
  const server = await startServer(t, {
    createQuote() {
      throw new ServiceError('VALIDATION_FAILED', { message: 'Bad file.', details });
    },
  });
  for (const connect of [ourTransport, connectNodeTransport]) {
    const failure = fromWireError(await failureOf(quoteStoreOn(connect(t, server.port)).createQuote({})));
    assert.ok(failure instanceof ServiceError, failure.stack);
    const kept = failure.details.length - 1;
    assert.ok(kept > 500);
    assert.deepEqual(failure.details.slice(0, kept), details.slice(0, kept));
    assert.deepEqual(failure.details[kept], { code: 'TOO_MANY', message: `And ${9000 - kept} more.` });
  }
});

function partsOf(error: Error) {
  assert.ok(error instanceof ServiceError, error.stack);
  const { code, message, param, details, retryAfterSeconds } = error;
  return { code, message, param, details, retryAfterSeconds };
}

function codeOf(error: unknown): string {
  const failure = fromWireError(error);
  return failure instanceof ServiceError ? failure.code : failure.name;
}
