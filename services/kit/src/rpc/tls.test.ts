import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { connect } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { assertUnavailable, failureOf } from '../../../../tests/support/failures.ts';
import { makeAuthority } from '../../../../tests/support/certificates.ts';
import { until } from '../../../../tests/support/until.ts';
import { recordTelemetry } from '../telemetry/recording.test-support.ts';
import { quoteStoreOn, resolveTo, startServer, transportTo } from './rpc.test-support.ts';
import { fromWireError } from './status.ts';
import { openRpcTls } from './tls.ts';
import type { RpcTls } from './tls.ts';
import { mountCertificates, tlsOf } from './tls.test-support.ts';
import type { Mounted } from './tls.test-support.ts';

const SOON_MS = 5_000;
const DAY_MS = 86_400_000;
const HANDLERS = { createQuote: () => ({}), getQuote: () => ({}) };

const ours = makeAuthority('ours');
const others = makeAuthority('others');
const recording = recordTelemetry();

/** What a side shows and whom it believes: by default a certificate for `quote-store` of our authority, and that. */
function side({ issuer = ours, name = 'quote-store', endsMs = Date.now() + DAY_MS, ca = [ours.cert] } = {}): Mounted {
  return { ...issuer.issue({ dns: [name] }, endsMs), ca };
}

/** A server, and a client that finds it as `quote-store`. */
async function startPair(
  t: TestContext,
  {
    serverTls,
    clientTls,
    connectionAgeMs = 60_000,
  }: { serverTls: RpcTls | null; clientTls: RpcTls | null; connectionAgeMs?: number },
) {
  const server = await startServer(t, HANDLERS, { tls: serverTls, connectionAgeMs });
  resolveTo(t, () => ['127.0.0.1']);
  const transport = transportTo(t, `grpc://quote-store:${server.port}`, clientTls);
  return { port: server.port, transport, client: quoteStoreOn(transport) };
}

/** What TLS of Node sees of a listener; rejects where it is refused. */
async function lookAt(port: number, options: ConnectionOptions) {
  const socket = connect({ host: '127.0.0.1', port, servername: 'quote-store', ALPNProtocols: ['h2'], ...options });
  try {
    await once(socket, 'secureConnect');
    return { protocol: socket.getProtocol(), serial: socket.getPeerCertificate().serialNumber };
  } finally {
    socket.destroy();
  }
}

test('sides with certificates of one authority call each other and see how they are, over TLS 1.3', async (t) => {
  const mount = mountCertificates(t, side());
  const tls = tlsOf(mount);
  const { port, transport, client } = await startPair(t, { serverTls: tls, clientTls: tls });
  await client.createQuote({});
  await client.getQuote({});
  await transport.check();
  const options = { ...side(), ca: [ours.cert] };
  assert.equal((await lookAt(port, options)).protocol, 'TLSv1.3');
  await assert.rejects(lookAt(port, { ...options, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }));
});

const REFUSED: readonly {
  readonly what: string;
  readonly server: Mounted | null;
  readonly client: Mounted | null;
  readonly says: RegExp;
}[] = [
  {
    what: 'a caller whose certificate is of another authority',
    server: side(),
    client: side({ issuer: others }),
    says: /^TLS: the other side closes the connection after the handshake: it refuses our certificate$/,
  },
  {
    what: 'a caller whose certificate has ended',
    server: side(),
    client: side({ endsMs: Date.now() - 1_000 }),
    says: /^TLS: the other side closes the connection after the handshake: it refuses our certificate$/,
  },
  {
    what: 'a caller without TLS',
    server: side(),
    client: null,
    says: /^no connection: the other side closes it at once, as one does that demands TLS$/,
  },
  {
    what: 'a server whose certificate is of another authority',
    server: side({ issuer: others }),
    client: side(),
    says: /^TLS: the other side's certificate is of an authority that we do not trust \(/,
  },
  {
    what: 'a server whose certificate is for another name',
    server: side({ name: 'pricing' }),
    client: side(),
    says: /^TLS: the other side's certificate is for another name \(.*DNS:pricing/,
  },
  {
    what: 'a server whose certificate has ended',
    server: side({ endsMs: Date.now() - 1_000 }),
    client: side(),
    says: /^TLS: the other side's certificate, or its authority's, has ended \(/,
  },
  { what: 'a server without TLS', server: null, client: side(), says: /^TLS: the other side does not speak TLS \(/ },
];

for (const { what, server, client, says } of REFUSED) {
  test(`with ${what} even a write is SERVICE_UNAVAILABLE, and log and readiness say why`, async (t) => {
    const tlsFrom = (files: Mounted | null) => files && tlsOf(mountCertificates(t, files));
    const pair = await startPair(t, { serverTls: tlsFrom(server), clientTls: tlsFrom(client) });
    const failure = await failureOf(pair.client.createQuote({}));
    assertUnavailable(fromWireError(failure));
    assert.ok(failure instanceof Error);
    assert.match(failure.message.replace(/^\[unavailable\] /, ''), says);
    await assert.rejects(pair.transport.check(), { message: says });
  });
}

test('a caller without a certificate is refused', async (t) => {
  const tls = tlsOf(mountCertificates(t, side()));
  const { port } = await startPair(t, { serverTls: tls, clientTls: tls });
  const socket = connect({ host: '127.0.0.1', port, servername: 'quote-store', ALPNProtocols: ['h2'], ca: ours.cert });
  const [error] = await once(socket.resume(), 'error', { signal: AbortSignal.timeout(SOON_MS) }).catch(() => []);
  assert.match(String(error), /certificate required/);
});

test('a renewed certificate is shown to whoever connects from then on, without a restart', async (t) => {
  const mount = mountCertificates(t, side());
  const tls = tlsOf(mount);
  const { port, client } = await startPair(t, { serverTls: tls, clientTls: tls });
  const options = { ...side(), ca: [ours.cert] };
  const { serial } = await lookAt(port, options);
  await client.createQuote({});
  mount.put(side());
  await until(async () => (await lookAt(port, options)).serial !== serial, SOON_MS);
  await client.createQuote({});
});

test('an authority is replaced in three steps, and no call fails', async (t) => {
  const connectionAgeMs = 50;
  const both = [ours.cert, others.cert];
  const takenAt = { server: 0, client: 0 };
  const mounts = { server: mountCertificates(t, side()), client: mountCertificates(t, side()) };
  const tlsFor = (who: 'server' | 'client') =>
    tlsOf(mounts[who], { info: () => (takenAt[who] = performance.now()), warn() {} });
  const tls = { serverTls: tlsFor('server'), clientTls: tlsFor('client') };
  const { port, client } = await startPair(t, { ...tls, connectionAgeMs });
  for (const files of [
    side({ ca: both }),
    side({ issuer: others, ca: both }),
    side({ issuer: others, ca: [others.cert] }),
  ]) {
    for (const who of ['server', 'client'] as const) {
      const before = performance.now();
      mounts[who].put(files);
      // Until connections of before have ended.
      await until(async () => {
        await client.createQuote({});
        return takenAt[who] > before && performance.now() - takenAt[who] > 2 * connectionAgeMs;
      }, SOON_MS);
    }
  }
  const left = transportTo(t, `grpc://quote-store:${port}`, tlsOf(mountCertificates(t, side({ ca: both }))));
  await assert.rejects(quoteStoreOn(left).createQuote({}), /it refuses our certificate/);
});

test('what cannot be used is told once, and what was there is used on', async (t) => {
  const told: unknown[] = [];
  const take = (about: unknown, message?: unknown) => told.push(message, about);
  const mount = mountCertificates(t, side());
  const tls = tlsOf(mount, { info: take, warn: take });
  const { port, client } = await startPair(t, { serverTls: tls, clientTls: tls });
  const options = { ...side(), ca: [ours.cert] };
  const { serial } = await lookAt(port, options);
  mount.overwrite('tls.key', side().key);
  await until(() => told.length > 0, SOON_MS);
  mount.remove('ca.crt');
  await until(() => told.length > 2, SOON_MS);
  assert.equal((await lookAt(port, options)).serial, serial);
  await client.createQuote({});
  const endsMs = Math.floor(Date.now() / 1_000) * 1_000 + 3 * DAY_MS;
  mount.put(side({ endsMs }));
  await until(() => told.length > 4, SOON_MS);
  const unusable = 'new certificates cannot be used, and the old ones are kept';
  assert.deepEqual(told, [
    unusable,
    { reason: `names a folder whose key cannot be used with its certificate: ${mount.folder}/tls.key` },
    unusable,
    { reason: `names a folder in which a file cannot be read: ${mount.folder}/ca.crt (ENOENT)` },
    'new certificates are used',
    { ends_at: new Date(endsMs).toISOString() },
  ]);
});

test('the metrics tell when the certificate ends and how long it was for, while it is used', async (t) => {
  const tls = tlsOf(mountCertificates(t, side({ endsMs: Date.now() + 3 * DAY_MS })));
  const server = await startServer(t, HANDLERS, { tls });
  const read = async () => [
    await recording.readings('pfq.tls.certificate.expiry'),
    await recording.readings('pfq.tls.certificate.lifetime'),
  ];
  const [expiry, lifetime] = await read();
  const days = (readings: typeof expiry) => readings?.map(({ value }) => (value * 1_000) / DAY_MS);
  assert.equal(days(expiry)?.[0]?.toFixed(2), '3.00');
  assert.deepEqual(days(lifetime)?.map(Math.round), [4]);
  await server.stop();
  assert.deepEqual(await read(), [[], []]);
});

test('without a folder there is no TLS', () => {
  assert.equal(openRpcTls({ folder: null, logger: { info() {}, warn() {} } }), null);
});
