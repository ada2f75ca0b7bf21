import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import {
  BrokerNotificationSchema,
  NotificationStatus,
  QuoteStatus,
  StoredQuoteSchema,
} from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { InterestSchema } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { apiVersions } from '../versions/api-versions.ts';
import { CHANGES } from '../versions/changes.ts';
import { renderStoredQuote } from './stored-quote.ts';

type Stored = { readonly status?: QuoteStatus; readonly interest?: MessageInitShape<typeof InterestSchema> };

const VERSIONS = apiVersions(CHANGES);
const SUBMITTED_AT = new Date('2026-12-01T12:00:00.120Z');
const NOTIFIED_AT = new Date('2026-12-01T12:00:05.000Z');
const REQUEST_MEMBERS = '"client_reference_id":null,"metadata":{"2":"b","1":"a"},"policies":[]';
const PRICED_MEMBERS = '"totals":{},"recommended_option_id":"opt_15_9","options":[{"apr":1.10}]';
const NOTIFICATION = {
  status: NotificationStatus.SKIPPED,
  reason: 'test_mode',
  at: timestampFromDate(NOTIFIED_AT),
};
const INTEREST = {
  optionId: 'opt_15_9',
  note: 'Call me.',
  submittedAt: timestampFromDate(SUBMITTED_AT),
  brokerNotification: NOTIFICATION,
};
const INTERESTED: Stored = { status: QuoteStatus.INTERESTED, interest: INTEREST };

function render(changes: Stored = {}, hostedUrl: string | null = null): string {
  const quote = create(StoredQuoteSchema, {
    quoteId: 'qte_1',
    mode: Mode.TEST,
    status: QuoteStatus.ACTIVE,
    snapshot: { requestMembers: Buffer.from(REQUEST_MEMBERS), pricedMembers: Buffer.from(PRICED_MEMBERS) },
    ...changes,
  });
  return renderStoredQuote(quote, { mode: 'test', hostedUrl, versions: VERSIONS });
}

test('a quote without a response has neither interest nor chosen option', () => {
  for (const [status, name] of [
    [QuoteStatus.ACTIVE, 'active'],
    [QuoteStatus.EXPIRED, 'expired'],
  ] as const) {
    const head = `{"id":"qte_1","object":"quote","livemode":false,"status":"${name}","hosted_url":null`;
    const expected = `${head},"selected_option_id":null,"interest":null,${REQUEST_MEMBERS},${PRICED_MEMBERS}}`;
    assert.equal(render({ status }), expected);
  }
});

test('a quote with a response shows it in the words of the contract, and everything else as it was', () => {
  const rendered = render(INTERESTED);
  const interest = [
    '{"option_id":"opt_15_9","note":"Call me.","submitted_at":"2026-12-01T12:00:00.120Z"',
    '"broker_notification":{"status":"skipped","reason":"test_mode","recipient":null,"recipients":[],"at":"2026-12-01T12:00:05.000Z"}}',
  ].join(',');
  assert.equal(
    rendered,
    render()
      .replace('"status":"active"', '"status":"interested"')
      .replace('"selected_option_id":null', '"selected_option_id":"opt_15_9"')
      .replace('"interest":null', `"interest":${interest}`),
  );
});

test('a response without a note has null for it', () => {
  const { note: _, ...interest } = INTEREST;
  assert.partialDeepStrictEqual(JSON.parse(render({ ...INTERESTED, interest })), { interest: { note: null } });
});

const TO_A_BROKER: readonly (readonly [name: string, status: NotificationStatus, reason: string | null])[] = [
  ['pending', NotificationStatus.PENDING, null],
  ['sent', NotificationStatus.SENT, null],
  ['failed', NotificationStatus.FAILED, 'mailbox_rejected'],
];
for (const [name, status, reason] of TO_A_BROKER) {
  test(`a broker's notification that is ${name} says so, and the broker is the only one of its recipients`, () => {
    const { at } = NOTIFICATION;
    const recipient = 'Ana@Agency.example';
    const brokerNotification = { status, recipient, at, ...(reason !== null && { reason }) };
    const rendered = render({ ...INTERESTED, interest: { ...INTEREST, brokerNotification } });
    const shown = { status: name, reason, recipient, recipients: [recipient], at: '2026-12-01T12:00:05.000Z' };
    assert.ok(rendered.includes(`"broker_notification":${JSON.stringify(shown)}`), rendered);
  });
}

test('a note comes through JSON as it was written', () => {
  const note = 'It\'s "fine"\\ \n</script>\u2028\u{1F4B5}';
  const quote: unknown = JSON.parse(render({ ...INTERESTED, interest: { ...INTEREST, note } }));
  assert.partialDeepStrictEqual(quote, { interest: { note } });
});

test('a link that was just issued is shown, and nothing else changes', () => {
  for (const stored of [{}, INTERESTED]) {
    const shown = render(stored, 'https://pay.example/q/t');
    assert.equal(shown, render(stored).replace('"hosted_url":null', '"hosted_url":"https://pay.example/q/t"'));
  }
});

test('a quote that the store did not send is a fault', () => {
  assert.throws(
    () => renderStoredQuote(undefined, { mode: 'test', hostedUrl: null, versions: VERSIONS }),
    /incomplete/,
  );
});

const UNREADABLE: readonly (readonly [what: string, changes: Stored])[] = [
  ['a status unheard of', { status: QuoteStatus.UNSPECIFIED }],
  ['a response of which nothing is known', { status: QuoteStatus.INTERESTED }],
  [
    'a response without its time',
    { ...INTERESTED, interest: { optionId: 'opt_15_9', brokerNotification: NOTIFICATION } },
  ],
  [
    'a response without its notification',
    { ...INTERESTED, interest: { optionId: 'opt_15_9', submittedAt: INTEREST.submittedAt } },
  ],
  [
    'a notification in a status unheard of',
    { ...INTERESTED, interest: { ...INTEREST, brokerNotification: { at: NOTIFICATION.at } } },
  ],
  [
    'a notification in a status of a later release',
    { ...INTERESTED, interest: { ...INTEREST, brokerNotification: fromALaterRelease() } },
  ],
];
for (const [what, changes] of UNREADABLE) {
  test(`a stored quote with ${what} is a fault, never a quote that looks otherwise`, () => {
    assert.throws(() => render(changes), /stored quote|notification/);
  });
}

/** A status that is added one day, as it arrives here. */
function fromALaterRelease() {
  const notification = create(BrokerNotificationSchema, { at: NOTIFICATION.at });
  const { number } = BrokerNotificationSchema.field.status;
  return fromBinary(
    BrokerNotificationSchema,
    Uint8Array.of(...toBinary(BrokerNotificationSchema, notification), number * 8, 99),
  );
}
