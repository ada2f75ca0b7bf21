import {
  ATTR_MESSAGING_CONSUMER_GROUP_NAME,
  ATTR_MESSAGING_DESTINATION_NAME,
  ATTR_MESSAGING_DESTINATION_PARTITION_ID,
} from '@opentelemetry/semantic-conventions/incubating';
import type { Metric } from './metric.ts';

/** From the tap to the mail: the objective is 60 s, and a mail server may be away for two days. */
const MAIL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400, 172_800];

/** Metrics of our own. */
export const OWN_METRICS = {
  'pfq.events.consumer.lag': {
    instrument: 'gauge',
    unit: '{event}',
    brief: 'Events of a partition that the group has not finished with.',
    attributes: [
      ATTR_MESSAGING_DESTINATION_NAME,
      ATTR_MESSAGING_DESTINATION_PARTITION_ID,
      ATTR_MESSAGING_CONSUMER_GROUP_NAME,
    ],
  },
  'pfq.events.dead_letters': {
    instrument: 'counter',
    unit: '{event}',
    brief: 'Events that nobody could read and that were set aside.',
    attributes: [ATTR_MESSAGING_DESTINATION_NAME],
  },
  'pfq.jobs.waiting': {
    instrument: 'gauge',
    unit: '{job}',
    brief: 'Background jobs that are not done.',
    attributes: ['pfq.job.task'],
  },
  'pfq.jobs.oldest.age': {
    instrument: 'gauge',
    unit: 's',
    brief:
      'Age of the oldest job that is not done, its failed attempts included; 0 where there is none. For the task `publish-interest` it is the age of the outbox.',
    attributes: ['pfq.job.task'],
  },
  'pfq.jobs.failures': {
    instrument: 'counter',
    unit: '{attempt}',
    brief: 'Attempts of background jobs that failed and are made again.',
    attributes: ['pfq.job.task'],
  },
  'pfq.quotes.priced': {
    instrument: 'counter',
    unit: '{quote}',
    brief: 'Deals that were priced for a quote.',
    attributes: ['pfq.quote.outcome', 'pfq.mode'],
  },
  'pfq.quotes.options': {
    instrument: 'histogram',
    unit: '{option}',
    brief: 'Options of a priced deal.',
    attributes: ['pfq.mode'],
    buckets: [0, 1, 5, 10, 15, 20, 25, 30],
  },
  'pfq.eligibility.failures': {
    instrument: 'counter',
    unit: '{failure}',
    brief: 'Checks that priced deals failed.',
    attributes: ['pfq.eligibility.check', 'pfq.mode'],
  },
  'pfq.rate_sheet.age': {
    instrument: 'gauge',
    unit: 's',
    brief: 'Time since the day of the rate sheet that prices now; absent where there is none.',
    attributes: [],
  },
  'pfq.rate_sheet.age.limit': {
    instrument: 'gauge',
    unit: 's',
    brief: 'Age from which a rate sheet prices nothing any more; absent where there is no limit.',
    attributes: [],
  },
  'pfq.idempotency.outcomes': {
    instrument: 'counter',
    unit: '{request}',
    brief: 'Requests that came with an Idempotency-Key.',
    attributes: ['pfq.idempotency.outcome'],
  },
  'pfq.limit.refusals': {
    instrument: 'counter',
    unit: '{request}',
    brief: 'Requests that were over a limit.',
    attributes: ['pfq.limit', 'pfq.mode'],
  },
  'pfq.request_log.dropped': {
    instrument: 'counter',
    unit: '{request}',
    brief: 'Requests that were answered and not kept for `pfq request show`.',
    attributes: ['pfq.request_log.reason'],
  },
  'pfq.interests': {
    instrument: 'counter',
    unit: '{interest}',
    brief: 'Interests of insureds that were stored.',
    attributes: ['pfq.mode'],
  },
  'pfq.hosted.pages': {
    instrument: 'counter',
    unit: '{page}',
    brief: 'Pages that the hosted page answered with, by what they say.',
    attributes: ['pfq.hosted.outcome'],
  },
  'pfq.mail.attempts': {
    instrument: 'counter',
    unit: '{attempt}',
    brief: 'Attempts to send a mail.',
    attributes: ['pfq.mail.result', 'pfq.mail.reason'],
  },
  'pfq.mail.delay': {
    instrument: 'histogram',
    unit: 's',
    brief: "From the insured's tap to the moment in which a mail server took the broker's mail.",
    attributes: [],
    buckets: MAIL_SECONDS,
  },
  'pfq.dependency.up': {
    instrument: 'gauge',
    unit: '{dependency}',
    brief: '1 where the last look at a dependency found it well, else 0.',
    attributes: ['pfq.dependency'],
  },
  'pfq.ready': {
    instrument: 'gauge',
    unit: '{process}',
    brief: '1 where the process takes requests, else 0.',
    attributes: [],
  },
  'pfq.tls.certificate.expiry': {
    instrument: 'gauge',
    unit: 's',
    brief:
      'Time until the certificate ends that the process proves itself with to other services; absent where there is no TLS between them.',
    attributes: [],
  },
  'pfq.tls.certificate.lifetime': {
    instrument: 'gauge',
    unit: 's',
    brief: 'Time from the beginning of that certificate to its end.',
    attributes: [],
  },
  'pfq.telemetry.export.failures': {
    instrument: 'counter',
    unit: '{export}',
    brief: 'Batches of spans or metrics that the collector did not take.',
    attributes: [],
  },
} as const satisfies Readonly<Record<string, Metric>>;
