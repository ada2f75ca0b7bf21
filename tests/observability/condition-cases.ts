import { series } from '../../deploy/observability/promql.ts';
import { ALL_WELL, during, growing } from './alert-case.ts';
import type { AlertCase } from './alert-case.ts';

const LONG = 600;

/** A series of one instance, whose name Prometheus adds. */
function on(instance: string, name: string): string {
  return `${name.slice(0, -1)},instance="${instance}"}`;
}

const age = (task: string) => series('pfq.jobs.oldest.age', { where: { job: 'pfq/x', 'pfq.job.task': task } });
const waiting = (task: string) => series('pfq.jobs.waiting', { where: { job: 'pfq/x', 'pfq.job.task': task } });
const lag = series('pfq.events.consumer.lag', {
  where: {
    'messaging.destination.name': 'pfq.quote.interest-expressed.v1',
    'messaging.destination.partition.id': '3',
    'messaging.consumer.group.name': 'notification',
  },
});
const deadLetters = series('pfq.events.dead_letters', {
  where: { 'messaging.destination.name': 'pfq.quote.interest-expressed.v1' },
});
const failedMails = series('pfq.mail.attempts', {
  where: { 'pfq.mail.result': 'failed', 'pfq.mail.reason': 'mailbox_rejected' },
});
const ready = (job: string) => series('pfq.ready', { where: { job } });
const reached = (job: string, dependency: string) =>
  series('pfq.dependency.up', { where: { job, 'pfq.dependency': dependency } });
const lost = series('pfq.idempotency.outcomes', { where: { 'pfq.idempotency.outcome': 'record_lost' } });
const dropped = (reason: string) =>
  series('pfq.request_log.dropped', { where: { job: 'pfq/gateway', 'pfq.request_log.reason': reason } });
const sheetAge = series('pfq.rate_sheet.age', { where: { job: 'pfq/pricing' } });
const sheetLimit = series('pfq.rate_sheet.age.limit', { where: { job: 'pfq/pricing' } });

const cases: readonly Omit<AlertCase, 'evaluatedEvery'>[] = [
  {
    name: 'all is well',
    series: {},
    checks: [{ at: '30m', firing: [] }],
  },
  {
    name: 'a response waits in the outbox, first for a minute, then for longer',
    series: { [age('publish-interest')]: during([5, 0], [10, 60], [10, 600], [LONG, 0]) },
    checks: [
      { at: '4m', firing: [] },
      { at: '10m', firing: ['OutboxLate ticket'] },
      { at: '20m', firing: ['OutboxLate page', 'OutboxLate ticket'] },
      { at: '30m', firing: [] },
    ],
  },
  {
    name: 'the events of a partition wait and get more, then are handled',
    series: { [lag]: `${during([10, 0])} ${growing([30, 1])} 20-2x9 ${during([LONG, 0])}` },
    checks: [
      { at: '10m', firing: [] },
      { at: '35m', firing: ['ConsumerLagStays page'] },
      { at: '55m', firing: [] },
    ],
  },
  {
    name: 'events wait, and get fewer',
    series: { [lag]: `200-1x150 ${during([LONG, 0])}` },
    checks: [{ at: '40m', firing: [] }],
  },
  {
    name: 'the first event ever is set aside, and an hour passes',
    series: { [deadLetters]: `_x9 ${during([LONG, 1])}` },
    checks: [
      { at: '8m', firing: [] },
      { at: '12m', firing: ['DeadLetters page'] },
      { at: '75m', firing: [] },
    ],
  },
  {
    name: 'one more event is set aside',
    series: { [deadLetters]: during([80, 7], [LONG, 8]) },
    checks: [
      { at: '75m', firing: [] },
      { at: '85m', firing: ['DeadLetters page'] },
      { at: '150m', firing: [] },
    ],
  },
  {
    name: 'one mail is not taken for hours',
    series: { [age('send-email')]: `0+60x90 ${during([LONG, 0])}`, [waiting('send-email')]: during([LONG, 1]) },
    checks: [
      { at: '30m', firing: [] },
      { at: '80m', firing: ['MailsWait ticket'] },
      { at: '100m', firing: [] },
    ],
  },
  {
    name: 'mails pile up',
    series: {
      [age('send-email')]: `0+60x40 ${during([LONG, 0])}`,
      [waiting('send-email')]: `0+2x40 ${during([LONG, 0])}`,
    },
    checks: [
      { at: '4m', firing: [] },
      { at: '20m', firing: ['MailsWait page'] },
      { at: '50m', firing: [] },
    ],
  },
  {
    name: 'many mails are given up in ten minutes',
    series: { [failedMails]: growing([60, 0], [10, 2], [LONG, 0]) },
    checks: [
      { at: '59m', firing: [] },
      { at: '68m', firing: ['MailsFail page', 'MailsFail ticket'] },
      { at: '90m', firing: ['MailsFail ticket'] },
      { at: '140m', firing: [] },
    ],
  },
  {
    name: 'the only instance of a service is gone, and comes back',
    series: { 'up{job="pfq/pricing",instance="a"}': during([10, 1], [20, 0], [LONG, 1]) },
    checks: [
      { at: '9m', firing: [] },
      { at: '15m', firing: ['ServiceAbsent page'] },
      { at: '25m', firing: ['ServiceAbsent page', 'ServiceAbsent ticket'] },
      { at: '35m', firing: [] },
    ],
  },
  {
    name: 'Prometheus does not find a service any more',
    series: { 'up{job="pfq/application",instance="a"}': `${during([10, 1])} _x30 ${during([LONG, 1])}` },
    checks: [
      { at: '9m', firing: [] },
      { at: '25m', firing: ['ServiceAbsent page'] },
      { at: '50m', firing: [] },
    ],
  },
  {
    name: 'one of two instances is not ready, then neither',
    series: {
      [on('a', ready('pfq/gateway'))]: during([10, 1], [30, 0], [LONG, 1]),
      [on('b', ready('pfq/gateway'))]: during([30, 1], [5, 0], [LONG, 1]),
    },
    checks: [
      { at: '15m', firing: [] },
      { at: '25m', firing: ['ServiceNotReady ticket'] },
      { at: '33m', firing: ['ServiceNotReady page', 'ServiceNotReady ticket'] },
      { at: '38m', firing: ['ServiceNotReady ticket'] },
      { at: '45m', firing: [] },
    ],
  },
  {
    name: 'nobody reaches the mail server',
    series: { [on('a', reached('pfq/notification', 'smtp'))]: during([10, 1], [20, 0], [LONG, 1]) },
    checks: [
      { at: '9m', firing: [] },
      { at: '15m', firing: ['DependencyAway page'] },
      { at: '25m', firing: ['DependencyAway page', 'DependencyAway ticket'] },
      { at: '35m', firing: [] },
    ],
  },
  {
    name: 'nobody reaches the collector, which wakes nobody',
    series: { [on('a', reached('pfq/pricing', 'collector'))]: during([10, 1], [20, 0], [LONG, 1]) },
    checks: [
      { at: '18m', firing: [] },
      { at: '25m', firing: ['DependencyAway ticket'] },
      { at: '35m', firing: [] },
    ],
  },
  {
    name: 'an event loop is late',
    series: {
      [on('a', series('nodejs.eventloop.delay.p99', { where: { job: 'pfq/gateway' } }))]: during(
        [10, 0.02],
        [20, 0.4],
        [LONG, 0.02],
      ),
    },
    checks: [
      { at: '15m', firing: [] },
      { at: '25m', firing: ['EventLoopBlocked ticket'] },
      { at: '35m', firing: [] },
    ],
  },
  {
    name: 'somebody always waits for a connection',
    series: {
      [on(
        'a',
        series('db.client.connection.pending_requests', {
          where: { job: 'pfq/gateway', 'db.client.connection.pool.name': 'requests' },
        }),
      )]: during([10, 0], [20, 4], [LONG, 0]),
    },
    checks: [
      { at: '12m', firing: [] },
      { at: '25m', firing: ['PoolExhausted ticket'] },
      { at: '35m', firing: [] },
    ],
  },
  {
    name: 'a certificate of a day is not renewed when a third of it is left, but later',
    series: {
      [on('a', series('pfq.tls.certificate.expiry', { where: { job: 'pfq/pricing' } }))]:
        `18000-60x298 ${during([LONG, 86_000])}`,
      [on('a', series('pfq.tls.certificate.lifetime', { where: { job: 'pfq/pricing' } }))]: during([LONG, 86_400]),
    },
    checks: [
      // 12,960 s are 15 %, and 2,592 s are 3 %.
      { at: '90m', firing: [] },
      { at: '110m', firing: ['CertificateEnds ticket'] },
      { at: '290m', firing: ['CertificateEnds page', 'CertificateEnds ticket'] },
      { at: '320m', firing: [] },
    ],
  },
  {
    name: 'the outcome of a mail cannot be recorded',
    series: { [age('record-outcome')]: `0+60x30 ${during([LONG, 0])}` },
    checks: [
      { at: '15m', firing: [] },
      { at: '25m', firing: ['JobsStuck ticket'] },
      { at: '40m', firing: [] },
    ],
  },
  {
    name: 'a caller is told that its record was lost',
    series: { [lost]: `_x9 ${during([LONG, 1])}` },
    checks: [
      { at: '8m', firing: [] },
      { at: '12m', firing: ['IdempotencyRecordLost ticket'] },
      { at: '75m', firing: [] },
    ],
  },
  {
    name: 'requests are not kept',
    series: { [dropped('away')]: growing([60, 0], [10, 50], [LONG, 0]) },
    checks: [
      { at: '59m', firing: [] },
      { at: '65m', firing: ['RequestLogDropping ticket'] },
      { at: '90m', firing: [] },
    ],
  },
  {
    name: 'one of many who are turned away is not kept',
    series: { [dropped('turned_away')]: growing([LONG, 50]) },
    checks: [{ at: '40m', firing: [] }],
  },
  {
    name: 'the collector takes nothing for half an hour',
    series: {
      [series('pfq.telemetry.export.failures', { where: { job: 'pfq/gateway' } })]: growing(
        [60, 0],
        [30, 4],
        [LONG, 0],
      ),
    },
    checks: [
      { at: '65m', firing: [] },
      { at: '85m', firing: ['TelemetryExportFails ticket'] },
      { at: '110m', firing: [] },
    ],
  },
  {
    name: 'nobody loads a rate sheet, until somebody does',
    series: {
      [sheetAge]: during([30, 300_000], [60, 500_000], [60, 700_000], [LONG, 3_600]),
      [sheetLimit]: during([LONG, 604_800]),
    },
    checks: [
      { at: '29m', firing: [] },
      { at: '50m', firing: ['RateSheetOld ticket'] },
      { at: '110m', firing: ['RateSheetOld page', 'RateSheetOld ticket'] },
      { at: '160m', firing: [] },
    ],
  },
  {
    name: 'there is no rate sheet at all, until somebody loads one',
    series: { [sheetAge]: `_x30 ${during([LONG, 3_600])}` },
    checks: [
      { at: '15m', firing: ['RateSheetOld page'] },
      { at: '45m', firing: [] },
    ],
  },
];

/** Every other alert: each fires, and clears. */
export const CONDITION_CASES: readonly AlertCase[] = cases.map((one) => ({
  ...one,
  evaluatedEvery: '2m',
  series: { ...ALL_WELL, ...one.series },
}));
