import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { KEY_RANDOM_LENGTH, makeApiKey } from '@pfq/gateway/domain/api-key';
import { apiOf, errorOf, quoteOf } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { acceptable, refusable } from '../support/canaries.ts';
import type { Canaries } from '../support/canaries.ts';
import { confirm, formsIn, openPage, reviewChoice, submit } from '../support/insured.ts';
import { converseRaw } from '../support/raw-http.ts';
import { sql } from '../support/sql.ts';
import { linesWith } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { canaryAgency } from './canary-agency.ts';
import type { CanaryAgency } from './canary-agency.ts';
import type { Scene } from './telemetry-scene.ts';

const SECONDS = 15_000;
const TOKEN_LENGTH = 43;
/** The last requests of these tests, which are written behind their answers. */
const KEPT_LAST = "SELECT 1 FROM requests WHERE route = '/v1/test_helpers/quotes/{id}/interest' AND status = 200";

/** Tables that hold what callers and operators sent, and what is done while one refuses every new row. */
type Refusal = { readonly database: string; readonly table: string; readonly work: () => Promise<void> };

/** Puts a canary wherever something can be sent to the services, and has them taken, refused and fail over them. */
export function placeCanaries(scene: Scene, canaries: Canaries): void {
  let agency: CanaryAgency;
  let live: Api;
  before(async () => {
    agency = await canaryAgency(scene.stack(), canaries);
    live = apiOf(scene.stack().file.gateway_url, agency.key);
  });
  const acceptableQuote = () => ({ ...Object(acceptable('QuoteRequest', canaries)), broker_email: agency.owner });
  const offered = async () => {
    const quote = quoteOf(await live.post(acceptableQuote()));
    const token = new URL(quote.hosted_url ?? '').pathname.slice('/q/'.length);
    canaries.watch('hosted token', token);
    return { ...quote, hostedUrl: quote.hosted_url ?? '', optionId: quote.recommended_option_id ?? '' };
  };

  it('a quote with a canary in every field is taken, and its answer holds them', async () => {
    const answer = await live.post(acceptableQuote());
    assert.equal(answer.status, 201, answer.text);
    assert.ok(canaries.foundIn(answer.text).includes('QuoteRequest.client_reference_id'));
  });

  it('a quote with a canary that is wrong in every field is refused, and so are bodies that cannot be read', async () => {
    const refused = await live.post(Object(refusable('QuoteRequest', canaries)));
    assert.equal(refused.status, 422);
    assert.ok((errorOf(refused).details ?? []).length > 20, refused.text);
    const bodies = [
      `{"insured": "${canaries.make('body that breaks off')}`,
      `{"${canaries.make('name that stands twice')}": 1, "a": 2, "a": 3}`,
      `"${canaries.make('body that is no object')}"`,
      Buffer.from(`{"a": "${canaries.make('body that is no UTF-8')}\xff"}`, 'latin1'),
    ];
    for (const body of bodies) assert.ok([400, 422].includes((await live.post(body)).status));
    const unknown = { ...acceptableQuote(), broker_email: `${canaries.make('email of nobody')}@canary.example` };
    assert.equal((await live.post(unknown)).status, 403);
  });

  it('headers, unknown paths, queries and keys hold canaries, whatever the answer', async () => {
    const headers = Object.fromEntries(
      ['User-Agent', 'Referer', 'Cookie', 'X-Forwarded-For', 'Forwarded', 'Baggage', 'Traceparent', 'X-Request-Id'].map(
        (name) => [name, canaries.make(`header ${name}`)],
      ),
    );
    const idempotent = { ...headers, 'Idempotency-Key': canaries.make('Idempotency-Key') };
    const quote = acceptableQuote();
    for (const status of [201, 201]) assert.equal((await live.post(quote, idempotent)).status, status);
    assert.equal((await live.post({ ...quote, metadata: null }, idempotent)).status, 409);
    const twice = canaries.make('Idempotency-Key twice');
    assert.equal((await live.post(quote, { 'Idempotency-Key': `${twice}\u00e9` })).status, 400);
    const paths = [
      `/v1/${canaries.make('unknown path')}`,
      `/v1/quotes/${canaries.make('quote id')}`,
      `/v1/whoami?${canaries.make('parameter')}=${canaries.make('value of a parameter')}`,
      `/v1/applications?starting_after=${canaries.make('cursor')}`,
      `/v1/applications?${canaries.make('unknown parameter')}=1`,
      `/v1/applications?limit=${canaries.make('limit')}`,
    ];
    for (const path of paths) assert.notEqual((await live.ask('GET', path, { headers })).status, 500);
    await live.ask('GET', '/v1/whoami', { headers: { 'Service-Version': canaries.make('Service-Version') } });
    for (const path of ['/', '/docs/', '/openapi.json/']) {
      await fetch(`${scene.stack().file.gateway_url}${path}${canaries.make(`path below ${path}`)}`, { headers });
    }
    const keys = [
      canaries.make('key'),
      `pfq_live_${canaries.make('key that is cut short')}`,
      makeApiKey('live', canaries.make('well-formed key').padEnd(KEY_RANDOM_LENGTH, '0')),
    ];
    for (const key of keys) {
      assert.equal((await apiOf(scene.stack().file.gateway_url, key).ask('GET', '/v1/whoami')).status, 401);
    }
  });

  it('requests that are not even HTTP hold canaries', async () => {
    for (const url of [scene.stack().file.gateway_url, scene.stack().file.hosted_url]) {
      const bad = `GET /${canaries.make('request that is no HTTP')} HTTP/9.9\r\n\r\n`;
      await converseRaw(Number(new URL(url).port), [bad], { hangsUp: true });
    }
  });

  it('a hosted page is looked at and responded to with canaries in the form, in the query and in the place of its token', async () => {
    const { id, hostedUrl, optionId } = await offered();
    const query = `?lang=${canaries.make('language')}&${canaries.make('parameter of a page')}=1`;
    const cookie = { cookie: `a=${canaries.make('cookie')}`, 'accept-language': canaries.make('Accept-Language') };
    assert.equal((await openPage(hostedUrl + query, { headers: cookie })).status, 200);
    const unknown = canaries.make('token of nobody').padEnd(TOKEN_LENGTH, 'a');
    for (const token of [unknown, canaries.make('token that is none')]) {
      assert.equal((await openPage(`${scene.stack().file.hosted_url}/q/${token}${query}`)).status, 404);
    }
    await openPage(`${hostedUrl}/review?option=${canaries.make('option')}`);
    const review = await reviewChoice(hostedUrl, optionId);
    const form = formsIn(review).find(({ action }) => new URL(action).pathname.endsWith('/interest'));
    assert.ok(form);
    const wrong = { note: `${canaries.make('note that is too long')}${'x'.repeat(500)}`, confirmed: 'yes' };
    assert.equal((await submit(form, wrong)).status, 422);
    const forged = { nonce: canaries.make('nonce'), note: canaries.make('note of a forged form'), confirmed: 'yes' };
    await submit(form, forged);
    const foreign = { origin: `https://${canaries.make('foreign origin')}.example` };
    const body = new URLSearchParams({ [canaries.make('field')]: canaries.make('value of a field') });
    await openPage(form.action, { method: 'POST', body, headers: foreign });
    const sent = await submit(form, { note: canaries.make('note'), confirmed: 'yes' });
    assert.equal(sent.status, 303);
    await until(() => linesWith(scene.stack(), id, 'email sent').length > 0, SECONDS);
  });

  it('a test response holds canaries', async () => {
    const { post, ask } = scene.api('test');
    const { id } = quoteOf(await post({ ...acceptableQuote(), broker_email: null }));
    const path = `/v1/test_helpers/quotes/${id}/interest`;
    const asked = { option_id: 'opt_25_10', note: canaries.make('test note') };
    const none = { ...asked, option_id: canaries.make('option that is none') };
    assert.equal((await ask('POST', path, { body: Object(refusable('InterestRequest', canaries)) })).status, 422);
    assert.equal((await ask('POST', path, { body: none })).status, 422);
    assert.equal((await ask('POST', path, { body: asked })).status, 200);
  });

  it('the causes of what fails on our side are logged without the rows that they are about', async () => {
    const quote = await offered();
    const idempotent = { 'Idempotency-Key': canaries.make('Idempotency-Key of a failure') };
    const isOurs = async (answer: Promise<{ readonly status: number }>) => assert.ok((await answer).status >= 500);
    const refusals: readonly Refusal[] = [
      { database: 'quote_store', table: 'quotes', work: () => isOurs(live.post(acceptableQuote())) },
      { database: 'gateway', table: 'idempotency_keys', work: () => isOurs(live.post(acceptableQuote(), idempotent)) },
      {
        database: 'quote_store',
        table: 'interests',
        work: async () =>
          isOurs(confirm(await reviewChoice(quote.hostedUrl, quote.optionId), canaries.make('lost note'))),
      },
      { database: 'gateway', table: 'brokers', work: () => agency.fails('broker') },
      { database: 'gateway', table: 'api_keys', work: () => agency.fails('key') },
      { database: 'application', table: 'applications', work: () => agency.fails('import') },
      {
        database: 'notification',
        table: 'emails',
        work: async () => {
          await confirm(await reviewChoice(quote.hostedUrl, quote.optionId), canaries.make('note that waits'));
          await until(() => linesWith(scene.stack(), quote.id, 'event not published yet').length > 0, SECONDS);
        },
      },
    ];
    for (const { database, table, work } of refusals) {
      await sql(scene.stack(), database, `ALTER TABLE ${table} ADD CONSTRAINT nothing_fits CHECK (false) NOT VALID`);
      try {
        await work();
      } finally {
        await sql(scene.stack(), database, `ALTER TABLE ${table} DROP CONSTRAINT nothing_fits`);
      }
      assert.ok(linesWith(scene.stack(), 'nothing_fits').length > 0, `nobody logged why ${table} took nothing`);
    }
    await until(() => linesWith(scene.stack(), quote.id, 'email sent').length > 0, SECONDS);
  });

  it('an operator whose token is wrong is refused, and that token is a canary', async () => {
    assert.match(await agency.tryAs(canaries.make('operator token').padEnd(40, 'x')), /refused|credential|token/i);
  });
}

/** Looks for the canaries where nobody may see any, after the services have told all that they had to tell. */
export function findCanaries(scene: Scene, canaries: Canaries): void {
  it('requests and changes are kept without keys, tokens and bodies', async () => {
    const inRows = async (database: string, table: string) => {
      const rows = await sql(scene.stack(), database, `SELECT row_to_json(${table})::text AS row FROM ${table}`);
      assert.ok(rows.length > 0, `${table} of ${database} is empty`);
      return rows.flatMap(({ row }) => canaries.foundIn(String(row)).map((place) => `${database}.${table}: ${place}`));
    };
    await until(async () => (await sql(scene.stack(), 'gateway', KEPT_LAST)).length > 0, SECONDS);
    assert.deepEqual(await inRows('gateway', 'requests'), []);
    const changes = [...(await inRows('gateway', 'audit_log')), ...(await inRows('application', 'audit_log'))];
    assert.deepEqual(
      changes.filter((place) => !/: (?:name|email) of a/.test(place)),
      [],
    );
  });

  it('no log line of any service holds a canary', async () => {
    const { lines } = await scene.end();
    assert.ok(
      lines.some((line) => line.includes('"level":"debug"')) && lines.some((line) => line.includes('nothing_fits')),
    );
    const found = lines.flatMap((line) => canaries.foundIn(line).map((place) => `${place}: ${line}`));
    assert.deepEqual(found, []);
  });

  it('no span and no metric holds a canary, neither on its way nor on a page', async () => {
    const { pages } = await scene.end();
    const found = [...scene.receiver().texts(), ...pages.values()].flatMap((text) => canaries.foundIn(text));
    assert.deepEqual([...new Set(found)], []);
  });
}
