import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRouterTransport } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { NOW, openReview, outcomeOf } from '../open-review.test-support.ts';
import { formIn, startPages, typedIn } from '../running-hosted-page.test-support.ts';

const NOTE = 'Call me.\r\n"After" <five> & not before';
const UNKNOWN = `/q/${'x'.repeat(43)}`;

test('with the quote store away in that moment nothing is lost: 503, and the same form can be sent again', async (t) => {
  let isAway = true;
  const { pages, form, send } = await openReview(t, {
    expressInterest: () => {
      if (isAway) throw unavailable('away');
      return { linkState: LinkState.CURRENT };
    },
  });
  const answer = await send({ note: 'Call me.' });
  assert.deepEqual([answer.status, answer.headers['retry-after'], outcomeOf(pages)], [503, '30', 'unavailable']);
  const again = formIn(answer);
  assert.deepEqual([again['note'], again['nonce']], ['Call me.', form['nonce']]);
  assert.equal(pages.lines.filter(({ level }) => level === 'error').length, 1);
  isAway = false;
  assert.equal((await send(again)).status, 303);
});

test('where not even the quote can be read, the page holds the whole response, to be sent again as it was', async (t) => {
  const { store, path, form, send } = await openReview(t);
  const away = await startPages(t, { transport: createRouterTransport(() => {}) });
  const sent = { ...form, note: NOTE, confirmed: 'yes' };
  const answer = await away.post(`${path}/interest?lang=es`, sent);
  assert.equal(answer.status, 503);
  assert.ok(answer.body.includes(`<form method="post" action="${path}/interest?lang=es">`));
  assert.deepEqual(formIn(answer), sent);
  assert.deepEqual(store.asked, []);
  assert.equal((await send(formIn(answer))).status, 303);
});

test('a response whose fate is unknown is sent again until it is known', async (t) => {
  const attempts: string[] = [];
  const { send } = await openReview(t, {
    expressInterest: ({ changeId }) => {
      if (attempts.push(changeId) < 3) throw new OutcomeUnknownError('broken');
      throw new ServiceError('QUOTE_ALREADY_INTERESTED', { message: 'Stored before.' });
    },
  });
  assert.equal((await send()).status, 303);
  assert.equal(new Set(attempts).size, 1);
  assert.equal(attempts.length, 3);
});

test('where it stays unknown the page says so, and keeps the nonce so that sending it again is safe', async (t) => {
  let now = NOW;
  const { pages, form, send } = await openReview(t, {
    now: () => now,
    expressInterest: () => {
      now += 60_000;
      throw new OutcomeUnknownError('broken');
    },
  });
  const answer = await send({ note: 'Call me.' });
  assert.deepEqual([answer.status, outcomeOf(pages)], [503, 'unknown-outcome']);
  assert.deepEqual(formIn(answer), { ...form, note: 'Call me.' });
});

test('where guesses from the same address have used up its limit meanwhile, the response waits on the page', async (t) => {
  let now = NOW;
  const { store, pages, form, send } = await openReview(t, { now: () => now });
  for (let miss = 0; miss < 20; miss += 1) await pages.get(UNKNOWN);
  const answer = await send({ note: NOTE });
  assert.deepEqual([answer.status, outcomeOf(pages)], [429, 'too-many']);
  assert.deepEqual(formIn(answer), { ...form, note: NOTE, confirmed: 'yes' });
  assert.deepEqual(store.asked, []);
  now += 600_000;
  assert.equal((await send(formIn(answer))).status, 303);
  assert.equal(store.stored[0]?.note, NOTE.replace('\r', ''));
});

test('what the quote store refuses although it was checked here is a bug, and the response waits on the page', async (t) => {
  const refuse = () => Promise.reject(new ServiceError('VALIDATION_FAILED', { message: 'No such option.' }));
  const { pages, form, send } = await openReview(t, { expressInterest: refuse });
  const answer = await send({ note: NOTE });
  assert.deepEqual([answer.status, outcomeOf(pages)], [500, 'failed']);
  assert.deepEqual(formIn(answer), { ...form, note: NOTE, confirmed: 'yes' });
  assert.match(pages.log.join('\n'), /No such option/);
});

for (const [length, of] of [
  [11_000, 'é'],
  [20_000, '🏠'],
] as const) {
  test(`a note of ${length} times ${of} comes back whole, with its count`, async (t) => {
    const { pages, send } = await openReview(t);
    const answer = await send({ note: of.repeat(length) });
    assert.deepEqual([answer.status, outcomeOf(pages)], [422, 'note-too-long']);
    assert.equal(typedIn(answer.body), of.repeat(length));
    assert.ok(answer.body.includes(`${length} of 500`));
  });
}
