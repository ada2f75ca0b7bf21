import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiOf, errorOf, quoteOf } from '../support/api.ts';
import { runCurlLine } from '../support/curl.ts';
import { exampleBody, readExamples, withoutVarying } from '../support/examples.ts';
import type { RunningStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';

describe('the stack of npm start', () => {
  const { stack, api, startAgain } = useStack();

  it('answers the printed curl line with 201 and 30 options', async () => {
    const printed = /curl -sS[\s\S]*?}'/.exec(stack().output())?.[0] ?? '';
    const answer = await runCurlLine(printed);
    assert.equal(answer.status, 201);
    assert.equal(quoteOf(answer).options.length, 30);
  });

  for (const { name, body, expected } of readExamples()) {
    it(`prices the example ${name} as expected, reads it back the same and proves its price`, async () => {
      const created = await api().post(body);
      assert.equal(created.status, 201);
      const quote = quoteOf(created);
      assert.deepEqual(withoutVarying(quote), expected);
      assert.match(quote.hosted_url ?? '', /^http:\/\/.+\/q\/[\w-]{43}$/);

      const read = await api().get(quote.id);
      const hostedUrl = JSON.stringify(quote.hosted_url);
      assert.equal(read.status, 200);
      assert.equal(read.text, created.text.replace(`"hosted_url":${hostedUrl}`, '"hosted_url":null'));

      const verified = await stack().pfq('quote', 'verify', quote.id, '--json');
      assert.deepEqual(JSON.parse(verified.stdout), { id: quote.id, match: true, differences: [] });
      assert.equal(verified.code, 0);
    });
  }

  it('prices a deal the same in either mode, for any key and broker, whatever its metadata and references', async () => {
    const deal = JSON.parse(exampleBody('roofing-contractor'));
    const [, otherBroker] = stack().file.brokers;
    const prices = await Promise.all(
      (['test', 'live', 'broker_test', 'broker_live'] as const).map(async (key, index) => {
        const own = { metadata: { n: String(index) }, client_reference_id: `deal ${index}` };
        const broker = key === 'live' ? { broker_email: otherBroker?.email } : {};
        const { totals, eligibility, options, recommended_option_id } = JSON.parse(
          (await api(key).post({ ...deal, ...own, ...broker })).text,
        );
        assert.equal(options.length, 30);
        return { totals, eligibility, options, recommended_option_id };
      }),
    );
    for (const price of prices) assert.deepEqual(price, prices[0]);
  });

  it('lives 30 days', async () => {
    const { created_at, expires_at } = quoteOf(await api().post(exampleBody('out-of-state')));
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * 86_400_000);
  });

  it('answers another agency, another mode, another broker, an unknown and a malformed id with one and the same 404', async () => {
    const [, otherBroker] = stack().file.brokers;
    const { id } = quoteOf(
      await api().post({ ...JSON.parse(exampleBody('out-of-state')), broker_email: otherBroker?.email }),
    );
    const stranger = await keyOfNewAgency(stack());
    const refusals = [
      await apiOf(stack().file.gateway_url, stranger).get(id),
      await api('live').get(id),
      await api('broker_test').get(id),
      await api().get(`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`),
      await api().get('no-such-thing'),
    ];
    const bodies = refusals.map((refusal) => JSON.stringify({ ...errorOf(refusal), request_id: '' }));
    assert.deepEqual(new Set(refusals.map(({ status }) => status)), new Set([404]));
    assert.equal(new Set(bodies).size, 1);
    assert.equal((await api().get(id)).status, 200);
  });

  it('finds its quotes again at the next start', async () => {
    const created = quoteOf(await api().post(exampleBody('roofing-contractor')));
    assert.equal(await stack().stop(), 0);
    await startAgain();
    assert.deepEqual(quoteOf(await api().get(created.id)), { ...created, hosted_url: null });
  });
});

/** A test key of a second agency, made as an operator would make it. */
async function keyOfNewAgency(stack: RunningStack): Promise<string> {
  const run = async (...args: readonly string[]) => JSON.parse((await stack.pfq(...args, '--json')).stdout);
  const { id } = await run('agency', 'create', '--name', 'Elsewhere Insurance');
  await run('agency', 'switch', id, '--test', 'on');
  await run('broker', 'create', '--agency', id, '--email', 'eve@elsewhere.example', '--name', 'Eve');
  const flags = [
    '--mode',
    'test',
    '--type',
    'agency',
    '--broker',
    'eve@elsewhere.example',
    '--scopes',
    'quotes:read',
    '--name',
    'k',
  ];
  const { key } = await run('key', 'create', '--agency', id, ...flags);
  return key;
}
