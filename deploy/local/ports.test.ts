import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { choosePorts, findFreePort, LOCAL_HOST, requireFreePorts } from './ports.ts';

test('the public ports are 8080, 8081 and 8025 unless moved', () => {
  const { gateway, hostedPage, mail } = choosePorts({});
  assert.deepEqual({ gateway, hostedPage, mail }, { gateway: 8080, hostedPage: 8081, mail: 8025 });
});

test('PFQ_PORT_BASE moves every port, so that two stacks share none', () => {
  const [one, two] = [choosePorts({}), choosePorts({ PFQ_PORT_BASE: '9000' })];
  assert.equal(two.gateway, 9000);
  assert.equal(new Set([...Object.values(one), ...Object.values(two)]).size, 2 * Object.keys(one).length);
});

test('a port of its own wins over PFQ_PORT_BASE', () => {
  assert.equal(choosePorts({ PFQ_PORT_BASE: '9000', PFQ_GATEWAY_PORT: '80' }).gateway, 80);
});

describe('a port that cannot be is refused by name', () => {
  const cases = [
    [{ PFQ_GATEWAY_PORT: 'http' }, /PFQ_GATEWAY_PORT must be a port from 1 to 65535, not "http"/],
    [{ PFQ_PORT_BASE: '0' }, /PFQ_PORT_BASE must be a port/],
    [{ PFQ_PORT_BASE: '65530' }, /PFQ_PORT_BASE is too high/],
    [
      { PFQ_POSTGRES_PORT: '8080' },
      /port 8080 is wanted by the public API and by PostgreSQL: set PFQ_GATEWAY_PORT or PFQ_/,
    ],
  ] as const;
  for (const [environment, line] of cases) {
    test(JSON.stringify(environment), () =>
      assert.throws(() => choosePorts(environment), { name: 'Problem', message: line }),
    );
  }
});

test('a port that is taken is named in one line, with what wants it and how to move it', async () => {
  const taken = createServer().listen(0, LOCAL_HOST);
  await once(taken, 'listening');
  try {
    const address = taken.address();
    assert.ok(address !== null && typeof address === 'object');
    const ports = choosePorts({
      PFQ_PRICING_PORT: String(address.port),
      PFQ_POSTGRES_PORT: String(await findFreePort()),
    });
    await assert.rejects(requireFreePorts(ports, ['postgres', 'pricing']), {
      message:
        `port ${address.port} is taken, and the pricing service wants it: ` +
        'free it, or set PFQ_PRICING_PORT to another port, or PFQ_PORT_BASE to move them all.',
    });
  } finally {
    taken.close();
  }
});
