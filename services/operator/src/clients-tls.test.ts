import { createLogger } from '@pfq/kit/log';
import { serveRpc } from '@pfq/kit/rpc/server';
import { mountCertificates, tlsOf } from '@pfq/kit/rpc/tls.test-support';
import type { Mounted } from '@pfq/kit/rpc/tls.test-support';
import { AgencyAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { makeAuthority } from '../../../tests/support/certificates.ts';
import { openClients } from './clients.ts';
import type { Clients } from './clients.ts';
import { CommandFailure } from './failure.ts';

const TOKEN = 'operator-token-of-these-tests-32-chars';

const ours = makeAuthority('ours');
const others = makeAuthority('others');

function side({ issuer = ours, name = 'localhost', ca = ours } = {}): Mounted {
  return { ...issuer.issue({ dns: [name] }), ca: [ca.cert] };
}

/** What TLS says to whoever does not speak it: the fatal alert `unexpected_message`. */
const TLS_ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x0a]);

/** The operator's side of a gateway, each side with the certificates that it is given. */
async function openPair(t: TestContext, { gateway, operator }: { gateway: Mounted | null; operator: Mounted | null }) {
  const routes = {
    listAgencies: () => ({}),
    createAgency: () => ({}),
    switchAgency: () => ({}),
    registerBroker: () => ({}),
    setBrokerStatus: () => ({}),
    listBrokers: () => ({}),
    createKey: () => ({}),
    listKeys: () => ({}),
    revokeKey: () => ({}),
  };
  const server = await serveRpc({
    routes: (router) => router.service(AgencyAdminService, routes),
    host: '127.0.0.1',
    port: 0,
    operatorToken: TOKEN,
    logger: createLogger({ service: 'gateway', level: 'error', format: 'json' }),
    tls: gateway && tlsOf(mountCertificates(t, gateway)),
    connectionAgeMs: null,
  });
  t.after(() => server.stop());
  return agenciesAt(t, { port: server.port, tlsDir: operator && mountCertificates(t, operator).folder });
}

function agenciesAt(t: TestContext, { port, tlsDir }: { port: number; tlsDir: string | null }): Clients['agencies'] {
  const url = `grpc://localhost:${port}`;
  const urls = { gatewayUrl: url, pricingUrl: url, applicationUrl: url, notificationUrl: url };
  const clients = openClients({ ...urls, token: TOKEN, tlsDir }, { actor: 'Ana', requestId: 'req_1' });
  t.after(() => clients.close());
  return clients.agencies;
}

test('with a certificate that both sides trust the operator is heard', async (t) => {
  const agencies = await openPair(t, { gateway: side(), operator: side() });
  assert.deepEqual((await agencies.listAgencies({})).agencies, []);
});

const REFUSED: readonly (readonly [string, Mounted | null, Mounted | null, RegExp])[] = [
  [
    'a gateway of another authority',
    side({ issuer: others }),
    side(),
    /^the gateway cannot be reached at grpc:\/\/localhost:\d+: TLS: the other side's certificate is of an authority/,
  ],
  [
    'a gateway of another name',
    side({ name: 'pricing' }),
    side(),
    /cannot be reached at .*: TLS: the other side's certificate is for another name/,
  ],
  ['a gateway without TLS', null, side(), /cannot be reached at .*: TLS: the other side does not speak TLS/],
  [
    'a certificate that the gateway does not trust',
    side(),
    side({ issuer: others }),
    /gave no clear answer at .*: check the address, and that it trusts the certificate of PFQ_OPERATOR_TLS_DIR, and whether the change was made\.$/,
  ],
  [
    'no certificate where one is demanded',
    side(),
    null,
    /gave no clear answer at .*: check the address, and whether it demands a certificate \(PFQ_OPERATOR_TLS_DIR\), and whether the change was made\.$/,
  ],
];

for (const [what, gateway, operator, words] of REFUSED) {
  test(`${what} is told in words that name TLS or the setting`, async (t) => {
    const agencies = await openPair(t, { gateway, operator });
    await assert.rejects(agencies.createAgency({ name: 'A' }), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.match(error.message, words);
      return true;
    });
  });
}

const ENDINGS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['closes without a word', (socket) => socket.end()],
  ['answers with an alert', (socket) => socket.end(TLS_ALERT)],
  ['resets the connection at once', (socket) => socket.resetAndDestroy()],
  [
    'resets the connection after its alert was read',
    (socket) => {
      socket.write(TLS_ALERT);
      setTimeout(() => socket.resetAndDestroy(), 100);
    },
  ],
];

for (const [how, end] of ENDINGS) {
  test(`a gateway that ${how} where we do not speak TLS is told with the setting that may be missing`, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      end(socket);
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    t.after(() => server.close());
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const agencies = agenciesAt(t, { port: address.port, tlsDir: null });
    await assert.rejects(agencies.listAgencies({}), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.match(error.message, /whether it demands a certificate \(PFQ_OPERATOR_TLS_DIR\)/);
      return true;
    });
  });
}
