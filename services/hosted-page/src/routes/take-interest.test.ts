import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { destinationOf, NOW, openReview, OPTION, outcomeOf } from '../open-review.test-support.ts';
import { formIn, typedIn } from '../running-hosted-page.test-support.ts';
import { hostedQuote, INELIGIBLE_MEMBERS, interestedIn, QUOTE_ID } from '../sample-quote.test-support.ts';

const DAY_MS = 86_400_000;

test('a confirmed response is stored under the change id of its nonce, and the quote shown with thanks', async (t) => {
  const { store, pages, path, form, send } = await openReview(t);
  const answer = await send({ note: '  Call me\r\nafter 3.\r\n' });
  assert.equal(destinationOf(answer), `303 ?sent=${OPTION}&lang=en`);
  assert.equal(answer.body, '');
  const [{ optionId, note, changeId } = assert.fail()] = store.asked;
  assert.deepEqual([optionId, note], [OPTION, 'Call me\nafter 3.']);
  assert.ok(form['nonce']?.startsWith(`${changeId}.`));
  const { status, body } = await pages.get(answer.headers.location ?? '');
  assert.equal(status, 200);
  assert.equal(outcomeOf(pages), 'sent');
  assert.ok(body.includes('Call me\nafter 3.'));
  assert.equal((await pages.get(path)).status, 200);
  assert.equal(outcomeOf(pages), 'interested');
});

test('the request id of the confirming answer goes with the response', async (t) => {
  const { store, pages, path, form } = await openReview(t);
  const { headers } = await pages.post(`${path}/interest`, { ...form, confirmed: 'yes' });
  assert.equal(store.headers[0]?.get('pfq-request-id'), headers['request-id']);
  assert.equal(store.headers[0]?.get('pfq-agency-id'), null);
  const { request_id: id, quote_id: quoteId, outcome } = pages.lines.at(-1) ?? {};
  assert.deepEqual([id, quoteId, outcome], [headers['request-id'], QUOTE_ID, 'response-stored']);
});

test('the page speaks on in the language of its form, whatever the browser prefers', async (t) => {
  const { pages, path } = await openReview(t);
  const review = await pages.get(`${path}/review?option=${OPTION}&lang=es`);
  const [, action = ''] = /<form[^>]*method="post" action="([^"]*)"/.exec(review.body) ?? [];
  assert.equal(action, `${path}/interest?lang=es`);
  const english = { 'accept-language': 'en' };
  const refused = await pages.post(action, formIn(review), english);
  assert.equal(refused.headers['content-language'], 'es');
  const sent = await pages.post(action, { ...formIn(refused), confirmed: 'yes' }, english);
  assert.equal(destinationOf(sent), `303 ?sent=${OPTION}&lang=es`);
});

test('the same form again is thanked for again, and stored once', async (t) => {
  const { store, pages, send } = await openReview(t);
  for (let count = 0; count < 3; count += 1) {
    const answer = await send({ note: 'First.' });
    assert.equal(destinationOf(answer), `303 ?sent=${OPTION}&lang=en`);
    await pages.get(answer.headers.location ?? '');
    assert.equal(outcomeOf(pages), 'sent');
  }
  assert.equal(store.stored.length, 1);
});

const DROPPED: readonly (readonly [what: string, changes: Readonly<Record<string, string>>])[] = [
  ['from another review page', {}],
  ['from another review page with another note', { note: 'Second.' }],
  ['without a nonce', { nonce: '', note: 'Second.' }],
  ['without a confirmation', { confirmed: '', note: 'Second.' }],
  ['with a note that is too long', { note: 'n'.repeat(501) }],
];
for (const [what, changes] of DROPPED) {
  test(`the same choice ${what} is not thanked for: the page says that a response was there before`, async (t) => {
    const { store, pages, path, send } = await openReview(t);
    const other = formIn(await pages.get(`${path}/review?option=${OPTION}`));
    await send({ note: 'First.' });
    const answer = await send({ ...other, ...changes });
    assert.equal(destinationOf(answer), `303 ?again=${OPTION}&lang=en`);
    const { body } = await pages.get(answer.headers.location ?? '');
    assert.equal(outcomeOf(pages), 'sent-before');
    assert.ok(body.includes('First.') && !body.includes('Second.'));
    assert.equal(store.stored.length, 1);
  });
}

test('the same form with another note is not thanked for either', async (t) => {
  const { store, send } = await openReview(t);
  await send({ note: 'First.' });
  assert.equal(destinationOf(await send({ note: 'Second.' })), `303 ?again=${OPTION}&lang=en`);
  assert.equal(store.stored.length, 1);
});

test('another choice shows what was already sent', async (t) => {
  const { store, pages, path, send } = await openReview(t);
  const other = formIn(await pages.get(`${path}/review?option=opt_35_6`));
  await send();
  const answer = await pages.post(`${path}/interest`, { ...other, confirmed: 'yes' });
  assert.equal(destinationOf(answer), '303 ?again=opt_35_6&lang=en');
  await pages.get(answer.headers.location ?? '');
  assert.equal(outcomeOf(pages), 'sent-another');
  assert.equal(store.stored.length, 1);
});

test('of fifty confirmations at once one is stored and thanked for, and all are led to how the quote stands', async (t) => {
  const { store, pages, path } = await openReview(t);
  const options = ['opt_15_6', 'opt_35_11'];
  const forms = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => formIn(await pages.get(`${path}/review?option=${options[n % 2]}`))),
  );
  const answers = await Promise.all(forms.map((form) => pages.post(`${path}/interest`, { ...form, confirmed: 'yes' })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
  const told: unknown[] = [];
  for (const { headers } of answers) {
    await pages.get(headers.location ?? '');
    told.push(outcomeOf(pages));
  }
  const countOf = (outcome: string) => told.filter((one) => one === outcome).length;
  assert.equal(store.stored.length, 1);
  assert.deepEqual([countOf('sent'), countOf('sent-before'), countOf('sent-another')], [1, 24, 25]);
});

const LONG = '🏠'.repeat(501);
const PROBLEMS: readonly (readonly [what: string, changes: Record<string, string>, outcome: string])[] = [
  ['not confirmed', { confirmed: '' }, 'not-confirmed'],
  ['confirmed with another word', { confirmed: 'on' }, 'not-confirmed'],
  ['with a note of 501 emoji', { note: LONG }, 'note-too-long'],
  ['with NUL in its note', { note: 'a\0b' }, 'note-unreadable'],
  ['without a nonce', { nonce: '' }, 'form-outdated'],
  ['with a forged nonce', { nonce: `chg_${'0'.repeat(22)}.${NOW}.${'A'.repeat(43)}` }, 'form-outdated'],
  ["with another option than its nonce's", { option: 'opt_35_6' }, 'form-outdated'],
  ['for an option that the quote does not have', { option: 'opt_1_1' }, 'no-choice'],
  ['without an option', { option: '' }, 'no-choice'],
];
for (const [what, changes, outcome] of PROBLEMS) {
  test(`a response ${what} comes back with 422 as ${outcome}, and nothing is stored`, async (t) => {
    const { store, pages, send } = await openReview(t);
    const typed = { note: ' <b>"Call" & \r\n wait</b> ', ...changes };
    const answer = await send(typed);
    assert.deepEqual([answer.status, outcomeOf(pages)], [422, outcome]);
    assert.deepEqual(store.asked, []);
    if (outcome !== 'no-choice') assert.equal(typedIn(answer.body), typed.note, 'everything typed is kept');
  });
}

test('a response that is mended is stored under the same change id', async (t) => {
  const { store, form, send } = await openReview(t);
  const refused = formIn(await send({ confirmed: '', note: 'Call me.' }));
  assert.equal(refused['nonce'], form['nonce']);
  assert.equal((await send(refused)).status, 303);
  assert.equal(store.asked[0]?.note, 'Call me.');
});

test('a note of exactly 500 emoji is stored', async (t) => {
  const { store, send } = await openReview(t);
  assert.equal((await send({ note: '🏠'.repeat(500) })).status, 303);
  assert.equal(store.asked[0]?.note, '🏠'.repeat(500));
});

test('a form of the day before yesterday, or of tomorrow, comes back with a fresh nonce that counts', async (t) => {
  for (const movedMs of [DAY_MS + 1, -DAY_MS]) {
    let now = NOW;
    const { store, form, send } = await openReview(t, { now: () => now });
    now += movedMs;
    const again = formIn(await send({ note: 'Call me.' }));
    assert.notEqual(again['nonce'], form['nonce']);
    assert.equal(again['note'], 'Call me.');
    assert.deepEqual(store.asked, []);
    assert.equal((await send(again)).status, 303);
  }
});

test('a nonce of another link counts for nothing', async (t) => {
  const { store, send } = await openReview(t);
  const elsewhere = await openReview(t);
  const answer = await send({ nonce: elsewhere.form['nonce'] ?? '' });
  assert.equal(answer.status, 422);
  assert.deepEqual(store.asked, []);
});

test('a response to a link that was replaced meanwhile is answered with 410, one to a link that never was with 404', async (t) => {
  const { store, pages, form, send } = await openReview(t);
  store.show('replaced');
  assert.equal((await send()).status, 410);
  const unknown = await pages.post(`/q/${'x'.repeat(43)}/interest`, { ...form, confirmed: 'yes' });
  assert.equal(unknown.status, 404);
  assert.deepEqual(store.asked, []);
});

test('a link that is replaced in the very moment of the response is answered with 410', async (t) => {
  const { send } = await openReview(t, { expressInterest: () => ({ linkState: LinkState.REPLACED, mode: Mode.LIVE }) });
  assert.equal((await send()).status, 410);
});

for (const [what, quote] of [
  ['expired', hostedQuote({ quote: { status: QuoteStatus.EXPIRED } })],
  ['was found ineligible', hostedQuote({ pricedMembers: INELIGIBLE_MEMBERS })],
  ['has a response', hostedQuote({ quote: interestedIn('opt_15_6') })],
] as const) {
  test(`a response to a quote that ${what} leads to its page, and nothing is stored`, async (t) => {
    const { store, send } = await openReview(t);
    store.show(quote);
    for (const changes of [{}, { confirmed: '' }, { nonce: '' }]) {
      assert.match(destinationOf(await send(changes)), /^303 \?(?:again=opt_20_9&)?lang=en$/);
    }
    assert.deepEqual(store.stored, []);
  });
}

for (const code of ['QUOTE_EXPIRED', 'QUOTE_ALREADY_INTERESTED'] as const) {
  test(`a response that comes too late by a moment (${code}) leads to the quote`, async (t) => {
    const refuse = () => Promise.reject(new ServiceError(code, { message: 'Too late.' }));
    const { send } = await openReview(t, { expressInterest: refuse });
    assert.equal((await send()).status, 303);
  });
}
