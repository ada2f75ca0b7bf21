import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quoteOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { openPage } from '../support/insured.ts';
import { sql } from '../support/sql.ts';
import { offer } from './telemetry-scene.ts';
import type { Scene } from './telemetry-scene.ts';

/** What is not looked at elsewhere, so that everything has told of itself once. */
export function takeTour(scene: Scene): void {
  it('every endpoint, document and page is asked for', async () => {
    const { api, stack } = scene;
    const { gateway_url: gateway, hosted_url: hosted } = stack().file;
    for (const path of ['/v1/coverage-types', '/v1/whoami', '/v1/applications?limit=1']) {
      assert.equal((await api('live').ask('GET', path)).status, 200);
    }
    assert.equal((await api().ask('HEAD', '/v1/whoami')).status, 200);
    assert.equal((await api().ask('DELETE', '/v1/whoami')).status, 405);
    const ineligible = quoteOf(await api().post(exampleBody('out-of-state')));
    assert.equal((await api().get(ineligible.id)).status, 200);
    const { id, hostedUrl } = await offer(api());
    assert.equal((await api().ask('POST', `/v1/quotes/${id}/hosted-link`)).status, 200);
    assert.equal((await openPage(hostedUrl)).status, 410);
    for (const url of [`${gateway}/docs`, `${gateway}/openapi.json`, `${hosted}/robots.txt`]) {
      assert.equal((await openPage(url)).status, 200, url);
    }
  });

  it('a key goes over its limit', async () => {
    const limited = (statement: string) => sql(scene.stack(), 'gateway', statement);
    await limited('ALTER TABLE key_usage DISABLE TRIGGER lifted; UPDATE key_usage SET requests = 1000');
    assert.equal((await scene.api().ask('GET', '/v1/whoami')).status, 429);
    await limited('ALTER TABLE key_usage ENABLE TRIGGER lifted');
    assert.equal((await scene.api().ask('GET', '/v1/whoami')).status, 200);
  });
}
