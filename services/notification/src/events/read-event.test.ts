import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { UnreadableEvent } from '@pfq/kit/events';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { PartiesSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { ChosenOption, InterestExpressed } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import fc from 'fast-check';
import { AGENCY, newEvent, newInterest, OPTION } from '../notification.test-support.ts';
import { decodeEvent, readInterestEvent } from './read-event.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('an event is read as what the broker is to be told, and by which request it came', () => {
  const event = newEvent(newInterest(), { traceparent: TRACEPARENT });
  const read = readInterestEvent(decodeEvent(toBinary(EventSchema, event)));
  const { option, ...interest } = read.interest;
  assert.deepEqual(
    { ...read, interest },
    {
      eventId: event.eventId,
      requestId: event.requestId,
      traceparent: TRACEPARENT,
      agencyId: AGENCY,
      recipient: 'dana@broker.example',
      interest: {
        quoteId: interest.quoteId,
        clientReferenceId: 'ams-48213',
        insuredName: 'Lone Star Roofing LLC',
        agencyName: 'Hill Country Insurance',
        brokerName: 'Dana Reyes',
        note: 'Please call after five.',
        submittedAt: new Date('2026-12-01T12:00:00.123Z'),
      },
    },
  );
  assert.partialDeepStrictEqual(option, OPTION);
});

test('what an interest may be without is null, and a trace that means nothing is none', () => {
  const bare = newInterest((interest) => {
    interest.parties = create(PartiesSchema, { brokerEmail: 'd@b.example' });
    delete interest.clientReferenceId;
    delete interest.note;
  });
  const read = readInterestEvent(newEvent(bare, { traceparent: 'no trace' }));
  assert.equal(read.traceparent, null);
  assert.partialDeepStrictEqual(read.interest, {
    clientReferenceId: null,
    insuredName: null,
    agencyName: null,
    brokerName: null,
    note: null,
  });
});

const having = (change: (interest: InterestExpressed) => void) => newEvent(newInterest(change));
const choosing = (changes: Partial<ChosenOption>) =>
  having((interest) => Object.assign(interest.option ?? {}, changes));
const toNobody = (brokerEmail: string) => having((interest) => Object.assign(interest.parties ?? {}, { brokerEmail }));

const UNREADABLE: readonly (readonly [what: string, event: Event])[] = [
  ['of no type', newEvent(newInterest(), { type: '' })],
  ['of another type', newEvent(newInterest(), { type: 'pfq.quote.interest-expressed.v2' })],
  ['without a schema version', newEvent(newInterest(), { schemaVersion: 0 })],
  ['of a newer schema version', newEvent(newInterest(), { schemaVersion: 2 })],
  ['without an id', newEvent(newInterest(), { eventId: '' })],
  ['with a malformed id', newEvent(newInterest(), { eventId: `evt_${'\0'.repeat(22)}` })],
  ['with the id of something else', newEvent(newInterest(), { eventId: newEvent().requestId })],
  ['without a request id', newEvent(newInterest(), { requestId: '' })],
  ['whose payload is something else', newEvent(newInterest(), { payload: Buffer.from('not a message') })],
  ['without a payload', newEvent(newInterest(), { payload: new Uint8Array() })],
  ['of test mode', having((interest) => (interest.mode = Mode.TEST))],
  ['of no mode', having((interest) => (interest.mode = Mode.UNSPECIFIED))],
  ['without an agency', having((interest) => (interest.agencyId = ''))],
  ['without a quote', having((interest) => (interest.quoteId = ''))],
  ['with a malformed quote id', having((interest) => (interest.quoteId = 'qte_1'))],
  ['without parties', having((interest) => delete interest.parties)],
  ['without a recipient', toNobody('')],
  ['whose recipient is no address', toNobody('Dana')],
  ['with two recipients', toNobody('a@b.example,c@d.example')],
  ['whose recipient ends a line', toNobody('a@b.example\r\nRCPT TO:<c@d.example>')],
  ['without an option', having((interest) => delete interest.option)],
  ['whose option has no id', choosing({ optionId: '' })],
  ['whose option has no payments', choosing({ termMonths: 0 })],
  ['whose option lacks an amount', choosing({ totalCost: '' })],
  ['whose option has a sentence for an amount', choosing({ totalCost: '1.00 a' })],
  ['without its time', having((interest) => delete interest.submittedAt)],
  ['of a time that is none', having((interest) => Object.assign(interest.submittedAt ?? {}, { seconds: 2n ** 60n }))],
];
for (const [what, event] of UNREADABLE) {
  test(`an event ${what} can never be told of`, () => {
    assert.throws(() => readInterestEvent(event), UnreadableEvent);
  });
}

test('whatever bytes come, they are an event or unreadable, and why tells nothing of what they hold', () => {
  const whole = toBinary(EventSchema, newEvent());
  const cut = fc.nat(whole.length).map((length) => whole.slice(0, length));
  const changed = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => whole.with(at, byte));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), cut, changed), (value) => {
      try {
        readInterestEvent(decodeEvent(value));
      } catch (error) {
        assert.ok(error instanceof UnreadableEvent);
        assert.doesNotMatch(error.message, /dana|lone star|call/i);
      }
    }),
    { numRuns: 2_000 },
  );
});
