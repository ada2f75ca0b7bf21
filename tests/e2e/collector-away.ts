import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exampleBody } from '../support/examples.ts';
import { linesWith } from '../support/stack.ts';
import { until } from '../support/until.ts';
import type { Scene } from './telemetry-scene.ts';

const SECONDS = 30_000;
const QUICK_MS = 3_000;
const BODY = exampleBody('roofing-contractor');

export const FAILING = 'telemetry cannot be exported';
export const WELL_AGAIN = 'telemetry is exported again';

/** To be done before there is anything in the services that should not be lost. */
export function collectorAway({ receiver, stack, api }: Scene): void {
  for (const conduct of ['refusing', 'silent', 'away'] as const) {
    it(`a collector that is ${conduct} costs callers nothing`, async () => {
      receiver().behave(conduct);
      const refused = receiver().refused();
      await until(async () => {
        const startedMs = performance.now();
        assert.equal((await api().post(BODY)).status, 201);
        assert.ok(performance.now() - startedMs < QUICK_MS);
        return receiver().refused() > refused && linesWith(stack(), FAILING, '"gateway"').length > 0;
      }, SECONDS);
    });
  }

  it('what is made from then on comes when the collector is back', async () => {
    receiver().behave('taking');
    const before = receiver().spans().length;
    await until(async () => {
      await api().ask('GET', '/v1/whoami');
      return receiver().spans().length > before;
    }, SECONDS);
  });
}
