import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMOUNTS, inDollars } from '../support/amounts.ts';
import { apiOf, quoteOf } from '../support/api.ts';
import { everyMail, mailsAbout } from '../support/caught-mail.ts';
import { exampleBody } from '../support/examples.ts';
import type { PublicQuote } from '../support/examples.ts';
import { confirm, formsIn, linksIn, openPage, respond, reviewChoice, submit } from '../support/insured.ts';
import type { Page } from '../support/insured.ts';
import { linesWith } from '../support/stack.ts';
import { sql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { useStack } from '../support/use-stack.ts';

const SECONDS = 10_000;
const PEOPLE = 50;
const VISITS = 100;

type Interested = PublicQuote & {
  readonly interest: {
    readonly option_id: string;
    readonly note: string | null;
    readonly broker_notification: { readonly status: string };
  } | null;
};
type Offered = {
  readonly id: string;
  readonly hostedUrl: string;
  readonly optionId: string;
  readonly quote: PublicQuote;
};

describe('the insured chooses, the broker hears', () => {
  const { stack, api } = useStack();
  const offer = async (mode: 'live' | 'test'): Promise<Offered> =>
    offered(quoteOf(await api(mode).post(exampleBody('roofing-contractor'))));
  const read = async (mode: 'live' | 'test', id: string): Promise<Interested> =>
    JSON.parse((await api(mode).get(id)).text);
  const untilSent = (id: string) =>
    until(async () => (await read('live', id)).interest?.broker_notification.status === 'sent', SECONDS);
  const count = async (database: string, statement: string) =>
    Number((await sql(stack(), database, statement))[0]?.['count']);

  it('a live response reaches the broker by email once, with the amounts of the chosen option, and the quote says so', async () => {
    const { id, hostedUrl, optionId, quote } = await offer('live');
    const answer = await respond(hostedUrl, optionId, 'Please call before noon.\nAsk for "Dana" <3.');
    assert.equal(answer.status, 303, answer.text);
    const confirmation = await openPage(new URL(answer.headers.get('location') ?? '', answer.url).href);
    assert.equal(confirmation.status, 200);

    const { interest } = await read('live', id);
    assert.ok(['pending', 'sent'].includes(interest?.broker_notification.status ?? ''), JSON.stringify(interest));
    await until(async () => (await mailsAbout(stack(), id)).length > 0, SECONDS);
    await untilSent(id);
    const owner = quote.broker.email;
    assert.partialDeepStrictEqual(await read('live', id), {
      status: 'interested',
      selected_option_id: optionId,
      interest: {
        option_id: optionId,
        note: 'Please call before noon.\nAsk for "Dana" <3.',
        broker_notification: { status: 'sent', reason: null, recipient: owner, recipients: [owner] },
      },
    });
    const [mail, ...others] = await mailsAbout(stack(), id);
    assert.ok(mail && others.length === 0);
    assert.ok(mail.to.includes(owner), mail.to);
    const option = quote.options.find((one) => one['id'] === optionId);
    for (const name of AMOUNTS) {
      const amount = inDollars(String(option?.[name]));
      assert.ok(mail.text.includes(amount) && mail.html.includes(amount), `${name} ${amount}`);
    }
    assert.ok(mail.text.includes('Ask for "Dana" <3.') && !mail.html.includes('"Dana" <3'));
  });

  it('the email is there within two seconds of the confirmation', async () => {
    const { id, hostedUrl, optionId } = await offer('live');
    const review = await reviewChoice(hostedUrl, optionId);
    const tappedMs = performance.now();
    await confirm(review);
    await until(async () => (await mailsAbout(stack(), id)).length > 0, SECONDS);
    const elapsedMs = performance.now() - tappedMs;
    assert.ok(elapsedMs < 2_000, `it took ${elapsedMs} ms`);
  });

  it('a test response notifies nobody', async () => {
    const test = await offer('test');
    assert.equal((await respond(test.hostedUrl, test.optionId)).status, 303);
    const { interest } = await read('test', test.id);
    assert.partialDeepStrictEqual(interest, {
      option_id: test.optionId,
      note: null,
      broker_notification: { status: 'skipped', reason: 'test_mode', recipient: null, recipients: [] },
    });
    const live = await offer('live');
    await respond(live.hostedUrl, live.optionId);
    await untilSent(live.id);
    assert.deepEqual(await mailsAbout(stack(), test.id), []);
    assert.equal(await count('notification', `SELECT count(*) FROM emails WHERE quote_id = '${test.id}'`), 0);
  });

  it('the demo quotes of a fresh stack can be chosen from', async () => {
    const { live, test } = stack().file.demo_quotes;
    for (const demo of [live, test]) {
      assert.equal((await reviewChoice(demo?.hosted_url ?? '', 'opt_25_10')).status, 200);
    }
    assert.ok(stack().output().includes(`hosted page  ${live?.hosted_url}\n`));
  });

  it('a link shows and takes a response though both switches are off, its key is revoked and its broker inactive; the owner hears', async () => {
    const run = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await stack().pfq(...words, '--json');
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const owner = 'olive@left.example';
    const { id: agency } = await run('agency', 'create', '--name', 'Left Insurance');
    await run('agency', 'switch', agency, '--live', 'on');
    const broker = ['--agency', agency, '--email', owner];
    await run('broker', 'create', ...broker, '--name', 'Olive Left');
    const kind = ['--mode', 'live', '--type', 'agency', '--scopes', 'quotes:write', '--name', 'k'];
    const { id: keyId, key } = await run('key', 'create', '--agency', agency, '--broker', owner, ...kind);
    const created = await apiOf(stack().file.gateway_url, key).post(exampleBody('roofing-contractor'));
    const { id, hostedUrl, optionId } = offered(quoteOf(created));

    await run('agency', 'switch', agency, '--live', 'off', '--test', 'off');
    await run('key', 'revoke', keyId);
    await run('broker', 'deactivate', ...broker);
    assert.equal((await openPage(hostedUrl)).status, 200);
    assert.equal((await respond(hostedUrl, optionId)).status, 303);
    await until(async () => (await mailsAbout(stack(), id)).length > 0, SECONDS);
    const [mail] = await mailsAbout(stack(), id);
    assert.ok(mail?.to.includes(owner), mail?.to);
    const shown = async () => (await run('quote', 'show', id)).interest.broker_notification;
    await until(async () => (await shown()).status === 'sent', SECONDS);
    assert.equal((await shown()).recipient, owner);
  });

  it('fifty people who confirm at once are one response, one event and one email', async () => {
    const { id, hostedUrl, optionId } = await offer('live');
    const reviews = await Promise.all(Array.from({ length: PEOPLE }, () => reviewChoice(hostedUrl, optionId)));
    const answers = await Promise.all(reviews.map((review, person) => confirm(review, `I am person ${person}.`)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    await untilSent(id);
    await until(() => linesWith(stack(), id, 'event published').length > 0, SECONDS);
    const told = EVENT_LINES.map((message) => linesWith(stack(), id, message).length);
    assert.deepEqual(told, [1, 1, 1, 0], 'one response, told once, heard once, and not again');
    const { interest } = await read('live', id);
    assert.match(interest?.note ?? '', /^I am person \d+\.$/);
    const ofQuote = `WHERE quote_id = '${id}'`;
    assert.equal(await count('quote_store', `SELECT count(*) FROM interests ${ofQuote}`), 1);
    assert.equal(await count('notification', `SELECT count(*) FROM emails ${ofQuote}`), 1);
    const mails = await mailsAbout(stack(), id);
    assert.deepEqual(
      mails.map(({ text }) => text.includes(interest?.note ?? 'no note')),
      [true],
    );
  });

  it('one request id leads through the logs of every service that had a part in a response', async () => {
    const { id, hostedUrl, optionId } = await offer('live');
    const requestId = (await respond(hostedUrl, optionId)).headers.get('request-id') ?? '';
    assert.match(requestId, /^req_[0-9A-Za-z]{22}$/);
    await untilSent(id);
    for (const service of ['hosted-page', 'quote-store', 'notification']) {
      const said = () => linesWith(stack(), requestId).filter((line) => line.startsWith(service));
      await until(() => said().length > 0, SECONDS);
    }
    const { stdout } = await stack().pfq('mail', 'list', '--json');
    const listed = JSON.parse(stdout).data.filter((email: { quote_id: string }) => email.quote_id === id);
    assert.partialDeepStrictEqual(listed, [{ status: 'sent', request_id: requestId }]);
    assert.ok(!stack().output().includes(new URL(hostedUrl).pathname.slice('/q/'.length)), 'no line shows the token');
  });

  it('a crawler that follows every link and submits every form as it stands changes no row and sends no email', async () => {
    await until(async () => (await count('quote_store', JOBS)) + (await count('notification', JOBS)) === 0, SECONDS);
    const [live, test] = [await offer('live'), await offer('test')];
    const taken = await offer('test');
    await respond(taken.hostedUrl, taken.optionId);
    const rows = async () => [
      ...(await Promise.all(QUOTE_TABLES.map((table) => sql(stack(), 'quote_store', digestOf(table))))),
      await sql(stack(), 'notification', digestOf('emails')),
      (await count('quote_store', JOBS)) + (await count('notification', JOBS)),
      (await everyMail(stack())).length,
    ];
    const before = await rows();
    for (const { hostedUrl, optionId } of [live, test, taken]) {
      const visits = await crawl(hostedUrl, `${hostedUrl}/review?option=${optionId}`);
      assert.ok(visits >= VISITS, `${visits} visits`);
    }
    assert.deepEqual(await rows(), before);
    assert.equal((await read('live', live.id)).status, 'active');
  });
});

const EVENT_LINES = ['interest stored', 'event published', 'event accepted', 'event known already'];
const JOBS = 'SELECT count(*) FROM graphile_worker._private_jobs';
const QUOTE_TABLES = ['quotes', 'hosted_links', 'interests', 'quote_changes'];

/** What tells whether anything in any row of a table is different. */
function digestOf(table: string): string {
  return `SELECT count(*), md5(string_agg(row::text, '|' ORDER BY row::text)) FROM ${table} AS row`;
}

function offered(quote: PublicQuote): Offered {
  const { id, hosted_url: hostedUrl, recommended_option_id: optionId } = quote;
  assert.ok(hostedUrl !== null && optionId !== null);
  return { id, hostedUrl, optionId, quote };
}

/**
 * Does what a mail scanner does that runs a page: GET and HEAD of whatever is linked to, every form as it stands, by each
 * of its buttons, from its own page and as from another site. Gives how often it asked.
 */
async function crawl(...starts: readonly string[]): Promise<number> {
  const seen = new Set<string>();
  const { origin } = new URL(starts[0] ?? '');
  const queue = [...starts];
  let visits = 0;
  const look = async (page: Page) => {
    visits += 1;
    const onward = [
      ...linksIn(page),
      ...[page.headers.get('location')].flatMap((to) => (to ? [new URL(to, page.url).href] : [])),
    ];
    queue.push(...onward.filter((url) => new URL(url).origin === origin && !seen.has(url)));
    for (const form of formsIn(page)) {
      if (seen.has(form.action + page.url)) continue;
      seen.add(form.action + page.url);
      for (const button of [{}, ...form.buttons]) await look(await submit(form, button));
      if (form.method === 'GET') continue;
      const body = new URLSearchParams(form.fields);
      for (const headers of [{}, { origin: 'https://scanner.example', 'sec-fetch-site': 'cross-site' }]) {
        await look(await openPage(form.action, { method: 'POST', body, headers }));
      }
    }
  };
  while (visits < VISITS || queue.length > 0) {
    const url = queue.shift() ?? starts[visits % starts.length] ?? '';
    seen.add(url);
    await look(await openPage(url));
    await openPage(url, { method: 'HEAD' });
    visits += 1;
  }
  return visits;
}
