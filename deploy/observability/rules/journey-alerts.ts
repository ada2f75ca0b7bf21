import { grown, series, sumBy, value } from '../promql.ts';
import type { Alert, Group } from './rule.ts';

const TOPIC = 'messaging.destination.name';
const PARTITION = 'messaging.destination.partition.id';

const oldest = (task: string) => `${sumBy([], 'max')} (${series('pfq.jobs.oldest.age', ageOf(task))})`;
const waiting = (task: string) => `${sumBy([], 'max')} (${series('pfq.jobs.waiting', ageOf(task))})`;

function ageOf(task: string) {
  return { where: { 'pfq.job.task': task } };
}

const outbox: readonly Alert[] = [
  {
    alert: 'OutboxLate',
    severity: 'ticket',
    expr: `${oldest('publish-interest')} > 30`,
    for: '1m',
    summary: 'responses of insureds wait to be told of',
    description:
      'The oldest has waited {{ $value | humanizeDuration }}; 30 s are allowed. Each is stored and shown to the insured as received, but its broker has not heard of it.',
  },
  {
    alert: 'OutboxLate',
    severity: 'page',
    expr: `${oldest('publish-interest')} > 300`,
    for: '1m',
    summary: 'responses of insureds have not been told of for over five minutes',
    description:
      'The oldest has waited {{ $value | humanizeDuration }}. No broker hears of a response until this is mended; none is lost.',
  },
];

const events: readonly Alert[] = [
  {
    alert: 'ConsumerLagStays',
    severity: 'page',
    expr: `${sumBy([TOPIC, PARTITION], 'max')} (\n  min_over_time(${series('pfq.events.consumer.lag', { over: '10m' })}) > 0\n  and\n  delta(${series('pfq.events.consumer.lag', { over: '10m' })}) >= 0\n)`,
    for: '5m',
    summary: `events of partition ${value(PARTITION)} of ${value(TOPIC)} are not handled`,
    description:
      '{{ $value }} events wait and do not get fewer. Brokers do not hear of the responses in this partition; those in others go on.',
  },
  {
    alert: 'DeadLetters',
    severity: 'page',
    expr: grown('pfq.events.dead_letters', { by: [TOPIC], over: '1h' }),
    summary: `events of ${value(TOPIC)} were set aside because nobody could read them`,
    description:
      '{{ $value | humanize }} in the last hour. Each is a response of an insured that its broker will not hear of until it is published again.',
  },
];

const FAILED = { where: { 'pfq.mail.result': 'failed' } };

const mails: readonly Alert[] = [
  {
    alert: 'MailsWait',
    severity: 'ticket',
    expr: `${oldest('send-email')} > 3600`,
    for: '5m',
    summary: 'a mail to a broker has not been taken for over an hour',
    description:
      'The oldest has waited {{ $value | humanizeDuration }}; after 48 hours it is given up. Its broker has not heard of a response.',
  },
  {
    alert: 'MailsWait',
    severity: 'page',
    expr: `${oldest('send-email')} > 300\nand\n${waiting('send-email')} >= 10`,
    for: '5m',
    summary: 'mails to brokers pile up',
    description:
      'The oldest of them has waited {{ $value | humanizeDuration }}. No mail gets out, or hardly any, so that brokers do not hear of responses; none is lost.',
  },
  {
    alert: 'MailsFail',
    severity: 'ticket',
    expr: grown('pfq.mail.attempts', { ...FAILED, by: ['pfq.mail.reason'], over: '1h' }),
    summary: `mails to brokers were given up: ${value('pfq.mail.reason')}`,
    description:
      '{{ $value | humanize }} in the last hour. The quote says that its broker could not be told; nobody tries again by itself.',
  },
  {
    alert: 'MailsFail',
    severity: 'page',
    expr: `${sumBy([])} (increase(${series('pfq.mail.attempts', { ...FAILED, over: '15m' })})) > 5`,
    summary: 'many mails to brokers are given up',
    description:
      '{{ $value | humanize }} in the last 15 minutes. A setting or the mail server is likely at fault, and every further mail will fail too.',
  },
];

/** What may keep a broker from hearing of a response. */
export const JOURNEY_ALERTS: Group = { name: 'pfq-journey', rules: [...outbox, ...events, ...mails] };
