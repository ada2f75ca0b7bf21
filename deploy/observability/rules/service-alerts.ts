import { grown, series, sumBy, value } from '../promql.ts';
import type { Alert, Group } from './rule.ts';

/** Every service that serves, by the `job` of its series. */
const SERVICES = ['gateway', 'pricing', 'quote-store', 'application', 'notification', 'hosted-page'];
const OURS = '{job=~"pfq/.+"}';

/** A job that Prometheus does not know at all has no series that could be 0. */
const noneUp = [
  `${sumBy(['job'])} (up{job=~"pfq/(${SERVICES.join('|')})"}) == 0`,
  ...SERVICES.map((service) => `absent(up{job="pfq/${service}"})`),
].join('\nor\n');

const processes: readonly Alert[] = [
  {
    alert: 'ServiceAbsent',
    severity: 'page',
    expr: noneUp,
    for: '2m',
    summary: `no instance of ${value('job')} answers Prometheus`,
    description:
      'Without the gateway, pricing or the quote store no quote is created; without the hosted page or the quote store no insured sees one; without notification no broker hears of a response; without application no list of applications is given.',
  },
  {
    alert: 'ServiceAbsent',
    severity: 'ticket',
    expr: `up${OURS} == 0`,
    for: '10m',
    summary: `${value('instance')} of ${value('job')} does not answer Prometheus`,
    description:
      'Users notice nothing while another instance of the service serves. Without the collector nothing but traces is missing.',
  },
  {
    alert: 'ServiceNotReady',
    severity: 'page',
    expr: `${sumBy(['job'], 'max')} (${series('pfq.ready', {})}) == 0`,
    for: '2m',
    summary: `no instance of ${value('job')} is ready`,
    description: 'Its own database is away, or none of them has finished starting. Whoever needs the service gets 503.',
  },
  {
    alert: 'ServiceNotReady',
    severity: 'ticket',
    expr: `${series('pfq.ready', {})} == 0`,
    for: '10m',
    summary: `${value('instance')} of ${value('job')} is not ready`,
    description: 'Users notice nothing while another instance of the service serves; there is less to spare.',
  },
  {
    alert: 'DependencyAway',
    severity: 'page',
    expr: `${sumBy(['job', 'pfq.dependency'], 'max')} (${series('pfq.dependency.up', { where: { 'pfq.dependency': { unlike: 'collector' } } })}) == 0`,
    for: '2m',
    summary: `${value('job')} does not reach ${value('pfq.dependency')}`,
    description: 'No instance of it does. The runbook says for each dependency what users notice.',
  },
  {
    alert: 'DependencyAway',
    severity: 'ticket',
    expr: `${series('pfq.dependency.up', {})} == 0`,
    for: '10m',
    summary: `${value('instance')} of ${value('job')} does not reach ${value('pfq.dependency')}`,
    description:
      'What this instance is asked for may fail, or wait. Where the dependency is the collector, nothing but traces is missing.',
  },
];

const pools = series('db.client.connection.pending_requests', { over: '5m' });

const pressure: readonly Alert[] = [
  {
    alert: 'EventLoopBlocked',
    severity: 'ticket',
    expr: `${series('nodejs.eventloop.delay.p99', {})} > 0.25`,
    for: '10m',
    summary: `${value('instance')} of ${value('job')} is busy with itself`,
    description:
      'One of a hundred readings found its event loop late by {{ $value | humanizeDuration }} or more. Whatever it answers is late by as much.',
  },
  {
    alert: 'PoolExhausted',
    severity: 'ticket',
    expr: `min_over_time(${pools}) > 0`,
    for: '1m',
    summary: `every connection of ${value('instance')} of ${value('job')} to its database is taken`,
    description:
      '{{ $value }} or more have waited for one of the pool ' +
      `${value('db.client.connection.pool.name')} at every look for five minutes. Requests are slow, and fail once they have waited too long.`,
  },
  {
    alert: 'JobsStuck',
    severity: 'ticket',
    expr: `${sumBy(['job', 'pfq.job.task'], 'max')} (${series('pfq.jobs.oldest.age', { where: { 'pfq.job.task': { unlike: 'publish-interest|send-email' } } })}) > 900`,
    for: '5m',
    summary: `jobs of the task ${value('pfq.job.task')} are not done`,
    description:
      'The oldest has waited {{ $value | humanizeDuration }}. Where the task is record-outcome, the quote still says that its broker is going to be told.',
  },
];

/** Certificates are of very different length, and are renewed as a rule when a third of it is left. */
const certificateLeft = `${sumBy(['job', 'instance'], 'min')} (${series('pfq.tls.certificate.expiry', {})} / ${series('pfq.tls.certificate.lifetime', {})})`;
const certificateSummary = `the certificate of ${value('instance')} of ${value('job')} is not renewed`;

const certificates: readonly Alert[] = [
  {
    alert: 'CertificateEnds',
    severity: 'ticket',
    expr: `${certificateLeft} < 0.15`,
    for: '10m',
    summary: certificateSummary,
    description:
      '{{ $value | humanizePercentage }} of its time is left. Users notice nothing until it has ended; then other services refuse the instance.',
  },
  {
    alert: 'CertificateEnds',
    severity: 'page',
    expr: `${certificateLeft} < 0.03`,
    for: '5m',
    summary: certificateSummary,
    description:
      '{{ $value | humanizePercentage }} of its time is left. Once it has ended no new connection to or from the instance is made, and what needs one gets 503.',
  },
];

const records: readonly Alert[] = [
  {
    alert: 'IdempotencyRecordLost',
    severity: 'ticket',
    expr: grown('pfq.idempotency.outcomes', {
      where: { 'pfq.idempotency.outcome': 'record_lost' },
      by: [],
      over: '1h',
    }),
    summary: 'callers were told IDEMPOTENCY_RECORD_LOST',
    description:
      '{{ $value | humanize }} in the last hour. Each is a request that was begun and never recorded: its caller has to ask again under a new key.',
  },
  {
    alert: 'RequestLogDropping',
    severity: 'ticket',
    expr: grown('pfq.request_log.dropped', {
      where: { 'pfq.request_log.reason': { unlike: 'turned_away' } },
      by: ['pfq.request_log.reason'],
      over: '15m',
    }),
    summary: `requests are answered and not kept: ${value('pfq.request_log.reason')}`,
    description:
      '{{ $value | humanize }} in the last 15 minutes. Callers notice nothing; support cannot look these requests up.',
  },
  {
    alert: 'TelemetryExportFails',
    severity: 'ticket',
    expr: grown('pfq.telemetry.export.failures', { by: ['job'], over: '15m' }),
    for: '10m',
    summary: `${value('job')} cannot hand its traces or metrics to the collector`,
    description:
      '{{ $value | humanize }} batches in the last 15 minutes were not taken. Spans are lost; users notice nothing.',
  },
];

const age = `${sumBy([], 'max')} (${series('pfq.rate_sheet.age', {})})`;
const limit = `${sumBy([], 'max')} (${series('pfq.rate_sheet.age.limit', {})})`;

const rates: readonly Alert[] = [
  {
    alert: 'RateSheetOld',
    severity: 'ticket',
    expr: `${age} / ${limit} > 0.7`,
    for: '10m',
    summary: 'the rate sheet will soon price nothing any more',
    description:
      'It has reached {{ $value | humanizePercentage }} of the age that is allowed. From 100 % on no quote can be created.',
  },
  {
    alert: 'RateSheetOld',
    severity: 'page',
    expr: `${age} / ${limit} > 1\nor\n${sumBy([], 'max')} (${series('pfq.ready', { where: { job: 'pfq/pricing' } })}) == 1 unless ${age}`,
    for: '5m',
    summary: 'there is no rate sheet that may price',
    description: 'It is older than allowed, or none was ever loaded. Every POST /v1/quotes gets 503.',
  },
];

/** What the parts of the system need in order to do their work. */
export const SERVICE_ALERTS: Group = {
  name: 'pfq-services',
  rules: [...processes, ...pressure, ...certificates, ...records, ...rates],
};
