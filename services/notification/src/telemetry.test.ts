import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { inSpan, SpanKind } from '@pfq/kit/telemetry/spans';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { until } from '../../../tests/support/until.ts';
import { newEvent, newInterest, SECONDS } from './notification.test-support.ts';
import { AS_OPERATOR, openScene } from './running-notification.test-support.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const { SENT, FAILED } = NotificationStatus;

const spanOf = (name: string, kind?: SpanKind) =>
  telemetry.spans().find((span) => span.name.endsWith(name) && (kind === undefined || span.kind === kind));
const statements = () => telemetry.spans().filter(({ attributes }) => 'db.query.summary' in attributes);
const asJob = <T>(work: () => Promise<T>) => inSpan('publishing', { kind: SpanKind.CONSUMER }, work);

test('from the event to the mail and to what the quote store hears of it is one trace, of which every job says the quote', async (t) => {
  const { start, quoteStore } = await openScene(t);
  const { accept } = await start();
  const interest = newInterest();
  const event = newEvent(interest);
  await asJob(() => accept(event));
  await quoteStore.untilTold(event, SENT);
  const jobs = ['process send-email', 'process record-outcome'];
  await until(() => jobs.every((job) => spanOf(job) !== undefined), SECONDS);
  const [publishing, accepted] = [spanOf('publishing'), spanOf('AcceptEvent', SpanKind.SERVER)];
  const [sending, telling] = [spanOf('process send-email'), spanOf('process record-outcome')];
  for (const job of [sending, telling]) {
    assert.deepEqual([job?.traceId, job?.parentId], [publishing?.traceId, accepted?.id]);
    assert.partialDeepStrictEqual(job?.attributes, {
      'pfq.quote.id': interest.quoteId,
      'pfq.event.id': event.eventId,
      'pfq.request.id': event.requestId,
    });
  }
  assert.equal(spanOf('SMTP send')?.parentId, sending?.id);
  assert.equal(spanOf('RecordBrokerNotification', SpanKind.CLIENT)?.parentId, telling?.id);
  assert.equal(spanOf('RecordBrokerNotification', SpanKind.SERVER)?.traceId, publishing?.traceId);
  assert.deepEqual(
    new Set(statements().map(({ name }) => name)),
    new Set([
      'BEGIN',
      'INSERT emails',
      'SELECT graphile_worker.add_job',
      'COMMIT',
      'SELECT pg_try_advisory_lock',
      'SELECT emails',
      'UPDATE emails',
    ]),
  );
  assert.doesNotMatch(JSON.stringify(telemetry.spans()), /dana|reyes|lone star|hill country|please call/i);
  const [delay, ...others] = await telemetry.readings('pfq.mail.delay');
  assert.deepEqual([delay, others], [{ value: 1, attributes: {} }, []]);
});

test('every attempt is counted by how it ended, and one that failed for good by its public reason', async (t) => {
  const { start, smtp, quoteStore } = await openScene(t);
  const { accept, admin } = await start();
  const countOf = async (result: string) => {
    const counted = await telemetry.readings('pfq.mail.attempts');
    return counted.find(({ attributes }) => Object.values(attributes).includes(result));
  };
  const sentBefore = (await countOf('sent'))?.value ?? 0;
  smtp.behave({ message: '451 4.3.0 Try again later' });
  await accept(newEvent());
  await until(async () => (await countOf('deferred')) !== undefined, SECONDS);
  smtp.behave({ replies: { RCPT: '550 5.1.1 No such mailbox' } });
  const refused = newEvent();
  await accept(refused);
  await quoteStore.untilTold(refused, FAILED);
  smtp.behave({});
  await admin.retryEmail({ eventId: refused.eventId }, AS_OPERATOR);
  await quoteStore.untilTold(refused, SENT);
  assert.deepEqual(
    [await countOf('deferred'), await countOf('failed'), await countOf('sent')],
    [
      { value: 1, attributes: { 'pfq.mail.result': 'deferred' } },
      { value: 1, attributes: { 'pfq.mail.result': 'failed', 'pfq.mail.reason': 'mailbox_rejected' } },
      { value: sentBefore + 1, attributes: { 'pfq.mail.result': 'sent' } },
    ],
  );
});
