import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import fc from 'fast-check';
import type { Interest, Quote } from '../domain/quote.ts';
import { membersOffering, newTelling, PARTIES } from '../store.test-support.ts';
import { interestEvent } from './interest-event.ts';

const AT = new Date('2026-12-01T12:00:00.123Z');
const TELLING = { ...newTelling(), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const QUOTE: Quote = {
  id: 'qte_1',
  mode: 'live',
  expiresAt: new Date('2026-12-20T10:00:00.000Z'),
  apiVersion: '2026-09-23',
  requestMembers: Buffer.from('"client_reference_id":"ams-48213","metadata":{"__proto__":"x","2":"","1":"é"}'),
  pricedMembers: membersOffering('opt_15_9', 'opt_25_10'),
  parties: PARTIES,
  interest: null,
  readAt: AT,
};
const INTEREST: Interest = {
  optionId: 'opt_25_10',
  note: 'Please call after five.',
  submittedAt: AT,
  eventId: TELLING.eventId,
  notification: { status: 'pending', reason: null, recipient: PARTIES.brokerEmail, at: AT },
};

function eventOf({ quote = {}, interest = {} }: { quote?: Partial<Quote>; interest?: Partial<Interest> }) {
  const about = { agencyId: 'agy_1', telling: TELLING };
  const event = interestEvent({ ...QUOTE, ...quote }, { ...INTEREST, ...interest }, about);
  return { event, payload: fromBinary(InterestExpressedSchema, event.payload) };
}

test('the event of an interest says what happened, when, by which request, and all that the broker is told', () => {
  const { event, payload } = eventOf({});
  const { $typeName: _, payload: __, occurredAt, ...envelope } = event;
  assert.deepEqual(envelope, {
    eventId: TELLING.eventId,
    type: 'pfq.quote.interest-expressed.v1',
    schemaVersion: 1,
    requestId: TELLING.requestId,
    traceparent: TELLING.traceparent,
  });
  assert.deepEqual(occurredAt && timestampDate(occurredAt), AT);
  const { $typeName: ___, parties, option, submittedAt, ...rest } = payload;
  assert.deepEqual(rest, {
    agencyId: 'agy_1',
    mode: Mode.LIVE,
    quoteId: 'qte_1',
    clientReferenceId: 'ams-48213',
    note: 'Please call after five.',
  });
  assert.deepEqual(submittedAt && timestampDate(submittedAt), AT);
  assert.deepEqual({ ...parties }, { $typeName: 'pfq.quotestore.v1.Parties', ...PARTIES });
  assert.deepEqual(
    { ...option },
    {
      $typeName: 'pfq.quotestore.v1.ChosenOption',
      optionId: 'opt_25_10',
      downPaymentBasisPoints: 1_965,
      termMonths: 9,
      aprBasisPoints: 1_692,
      downPayment: '12272.38',
      amountFinanced: '50182.50',
      monthlyPayment: '5978.01',
      financeCharge: '3619.59',
      totalOfPayments: '53802.09',
      totalCost: '66074.47',
    },
  );
});

test('what there is not is absent', () => {
  const requestMembers = Buffer.from('"client_reference_id":null,"broker":{"email":"shown@agency.example"}');
  const { payload } = eventOf({ quote: { requestMembers, parties: null }, interest: { note: null } });
  assert.deepEqual([payload.clientReferenceId, payload.note], [undefined, undefined]);
  const { $typeName: _, ...parties } = payload.parties ?? assert.fail('there are no parties');
  assert.deepEqual(parties, { brokerEmail: 'shown@agency.example' });
});

test('the same interest gives the same bytes', () => {
  const [first, second] = [eventOf({}), eventOf({})].map(({ event }) => toBinary(EventSchema, event));
  assert.deepEqual(first, second);
});

test('every rate is told in the basis points that the quote shows as a fraction', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(10_000), (apr, downPayment) => {
      const figures = { apr: apr / 10_000, down_payment_rate: downPayment / 10_000 };
      const { payload } = eventOf({ quote: { pricedMembers: withFigures(figures) } });
      assert.deepEqual([payload.option?.aprBasisPoints, payload.option?.downPaymentBasisPoints], [apr, downPayment]);
    }),
  );
});

test('members that were broken behind the back of the store are a fault, not an event without figures', () => {
  const broken = [
    withFigures({ apr: '0.1692' }),
    withFigures({ apr: undefined }),
    withFigures({ term_months: 9.5 }),
    withFigures({ total_cost: 66_074.47 }),
    withFigures({ id: 'opt_1_1' }),
    Buffer.from('"options":[null]'),
    Buffer.from('"options":{}'),
    Buffer.from('"options":['),
  ];
  for (const pricedMembers of broken) {
    assert.throws(() => eventOf({ quote: { pricedMembers } }), Buffer.from(pricedMembers).toString());
  }
  assert.throws(() => eventOf({ quote: { requestMembers: Buffer.from('"client_reference_id":1') } }));
});

test('a quote in a version of the API that is not known here is a fault, not an event of what its members seem to say', () => {
  assert.throws(() => eventOf({ quote: { apiVersion: '2027-01-01' } }), /API version that this release does not know/);
});

/** The members of a quote whose one option has other figures. */
function withFigures(figures: object): Uint8Array {
  const { options } = JSON.parse(`{${Buffer.from(membersOffering('opt_25_10')).toString()}}`);
  return Buffer.from(JSON.stringify({ options: [{ ...options[0], ...figures }] }).slice(1, -1));
}
