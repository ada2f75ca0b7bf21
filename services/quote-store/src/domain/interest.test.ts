import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTEREST, membersOffering, NEW_INTEREST, PARTIES } from '../store.test-support.ts';
import { expressInterest, isInterestOf } from './interest.ts';
import type { Quote } from './quote.ts';

const OPEN: Quote = {
  id: 'qte_1',
  mode: 'test',
  expiresAt: new Date('2026-12-20T10:00:00.000Z'),
  apiVersion: '2026-09-23',
  requestMembers: Buffer.from('"metadata":{"options":"opt_0_0"}'),
  pricedMembers: membersOffering('opt_15_9', 'opt_25_10'),
  parties: PARTIES,
  interest: null,
  readAt: new Date('2026-12-01T00:00:00.123Z'),
};
const EXPIRED = { readAt: OPEN.expiresAt };
const RESPONDED = { interest: INTEREST };
const WITHOUT_OPTIONS = { pricedMembers: membersOffering() };
const UNKNOWN_OPTION = { optionId: 'opt_99_9' };

test('the response to an open quote is kept with the time it was given, and so is the notification', () => {
  assert.deepEqual(expressInterest(OPEN, NEW_INTEREST), {
    optionId: 'opt_25_10',
    note: 'Please call after five.',
    submittedAt: OPEN.readAt,
    eventId: null,
    notification: { status: 'skipped', reason: 'test_mode', recipient: null, at: OPEN.readAt },
  });
});

test('of a response to a live quote an event tells, and the broker whose quote it is will be notified', () => {
  const { eventId, notification } = expressInterest({ ...OPEN, mode: 'live' }, NEW_INTEREST);
  const recipient = 'avery.stone@agency.example';
  assert.equal(eventId, NEW_INTEREST.telling.eventId);
  assert.deepEqual(notification, { status: 'pending', reason: null, recipient, at: OPEN.readAt });
});

test('the broker of a quote that was stored without names is notified at the address that the quote shows', () => {
  const requestMembers = Buffer.from('"metadata":{"broker":"x"},"broker":{"email":"shown@agency.example"}');
  const { notification } = expressInterest({ ...OPEN, mode: 'live', parties: null, requestMembers }, NEW_INTEREST);
  assert.equal(notification.recipient, 'shown@agency.example');
});

test('an empty note is none', () => {
  for (const note of ['', null]) assert.equal(expressInterest(OPEN, { ...NEW_INTEREST, note }).note, null);
  assert.equal(expressInterest(OPEN, { ...NEW_INTEREST, note: ' ' }).note, ' ');
});

const REFUSALS: readonly (readonly [what: string, quote: Partial<Quote>, response: object, code: string])[] = [
  ['that has a response', RESPONDED, {}, 'QUOTE_ALREADY_INTERESTED'],
  ['that has a response and has expired', { ...RESPONDED, ...EXPIRED }, {}, 'QUOTE_ALREADY_INTERESTED'],
  ['that has a response, by an unknown option', RESPONDED, UNKNOWN_OPTION, 'QUOTE_ALREADY_INTERESTED'],
  ['that has expired', EXPIRED, {}, 'QUOTE_EXPIRED'],
  ['that has expired, by an unknown option', EXPIRED, UNKNOWN_OPTION, 'QUOTE_EXPIRED'],
  ['that has expired and offers nothing', { ...EXPIRED, ...WITHOUT_OPTIONS }, {}, 'QUOTE_EXPIRED'],
  ['by an unknown option', {}, UNKNOWN_OPTION, 'VALIDATION_FAILED'],
  ['by no option', {}, { optionId: '' }, 'VALIDATION_FAILED'],
  ['by an option in other letters', {}, { optionId: 'OPT_15_9' }, 'VALIDATION_FAILED'],
  ['that offers nothing', WITHOUT_OPTIONS, {}, 'VALIDATION_FAILED'],
];
for (const [what, quote, response, code] of REFUSALS) {
  test(`a response to a quote ${what} is ${code}`, () => {
    assert.throws(() => expressInterest({ ...OPEN, ...quote }, { ...NEW_INTEREST, ...response }), { code });
  });
}

test('a refused option is told by its place, with what can be chosen instead', () => {
  const problemOf = (message: string) => ({
    code: 'VALIDATION_FAILED',
    message,
    param: 'option_id',
    details: [{ code: 'INVALID_VALUE', param: 'option_id', message }],
  });
  assert.throws(
    () => expressInterest(OPEN, { ...NEW_INTEREST, ...UNKNOWN_OPTION }),
    problemOf('option_id must be one of the options of this quote: opt_15_9, opt_25_10.'),
  );
  assert.throws(
    () => expressInterest({ ...OPEN, ...WITHOUT_OPTIONS }, NEW_INTEREST),
    problemOf(
      'option_id names no option: this quote has none, and its eligibility.reasons tell why. Create an eligible quote.',
    ),
  );
});

test('a response is known again by its option and its note', () => {
  const interest = expressInterest(OPEN, NEW_INTEREST);
  assert.ok(isInterestOf(interest, NEW_INTEREST));
  assert.ok(isInterestOf({ ...interest, note: null }, { ...NEW_INTEREST, note: '' }));
  assert.ok(!isInterestOf(interest, { ...NEW_INTEREST, note: null }));
  assert.ok(!isInterestOf(interest, { ...NEW_INTEREST, optionId: 'opt_15_9' }));
  assert.ok(!isInterestOf(null, NEW_INTEREST));
});
