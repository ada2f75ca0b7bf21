import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { AS_DANA } from '@pfq/gateway/whole-gateway.test-support';
import type { WholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import { until } from '../support/until.ts';
import { startKeyedGateways } from './keyed-gateways.ts';

const SECONDS = 10_000;

function idOf({ headers }: Pick<Answered, 'headers'>): string {
  return String(headers['request-id']);
}

test('a replay through any gateway names the request it repeats, and that one lists its replays, whichever quote they made', async (t) => {
  const { one, other, post } = await startKeyedGateways(t);
  const first = await post();
  const replays = [await post({ by: other }), await post({ by: one })];
  const reused = await post({ body: '{}' });
  assert.deepEqual(
    [first, ...replays, reused].map(({ status }) => status),
    [201, 201, 201, 422],
  );
  const show = (by: WholeGateway, answer: Answered) => by.requests.showRequest({ requestId: idOf(answer) }, AS_DANA);
  await until(async () => (await show(other, first).catch(() => null))?.replays.length === 2, SECONDS);
  const shown = await show(other, first);
  assert.deepEqual(
    shown.replays.map(({ requestId }) => requestId),
    replays.map(idOf),
  );
  const quoteId = /"id":"(qte_\w+)"/.exec(first.body)?.[1];
  assert.equal(shown.request?.quoteId, quoteId);
  assert.equal(shown.request?.replayOf, undefined);
  for (const replay of replays) {
    const { request, replays: ofReplay } = await show(one, replay);
    assert.partialDeepStrictEqual(request, { replayOf: idOf(first), quoteId, hasIdempotencyKey: true });
    assert.deepEqual(ofReplay, []);
  }
});
