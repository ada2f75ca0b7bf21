import type { Board } from './board.ts';
import { newestOf, quantileOf, rateOf, readingsOf } from './queries.ts';

const REQUESTS = 'http.server.request.duration';
const PAGES = { job: 'pfq/hosted-page' } as const;

export const INSURED_JOURNEY: Board = {
  name: 'insured-journey',
  title: 'Insured journey',
  description: "From the insured's page to the mail in the broker's mailbox, in the order in which it happens.",
  rows: [
    {
      title: 'The hosted page',
      panels: [
        {
          title: 'Answers by route and status',
          description:
            'Answers a second. 410 is a link that was replaced, 404 one that is unknown, 429 somebody guessing.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf(REQUESTS, ['http.route', 'http.response.status_code'], PAGES),
              legend: '{{http_route}} {{http_response_status_code}}',
            },
          ],
          alert: 'HostedPageFails',
        },
        {
          title: 'Duration by route, 95 %',
          description: 'What 95 of 100 pages stay below.',
          unit: 's',
          queries: [
            {
              expr: quantileOf(REQUESTS, { quantile: 0.95, by: ['http.route'], where: PAGES }),
              legend: '{{http_route}}',
            },
          ],
        },
        {
          title: 'Pages by what they say',
          description: 'Pages a second, by what was shown: the quote, a review, a link that is unknown.',
          unit: 'ops',
          queries: [{ expr: rateOf('pfq.hosted.pages', ['pfq.hosted.outcome']), legend: '{{pfq_hosted_outcome}}' }],
        },
        {
          title: 'Responses',
          description: 'Insureds a second who said that they are interested, as stored.',
          unit: 'ops',
          queries: [{ expr: rateOf('pfq.interests', ['pfq.mode']), legend: '{{pfq_mode}}' }],
        },
      ],
    },
    {
      title: 'From the response to notification',
      panels: [
        {
          title: 'Age of the outbox',
          description: 'How long the oldest response has waited to be told of; 30 s are allowed.',
          unit: 's',
          queries: [
            {
              expr: newestOf('pfq.jobs.oldest.age', {
                of: 'max',
                by: [],
                where: { 'pfq.job.task': 'publish-interest' },
              }),
              legend: 'oldest',
            },
          ],
          limit: { above: 30 },
          alert: 'OutboxLate',
        },
        {
          title: 'Events that wait',
          description:
            'Events of each partition that notification has not finished with. Nothing where no Kafka is used.',
          unit: 'short',
          queries: [
            {
              expr: newestOf('pfq.events.consumer.lag', {
                of: 'max',
                by: ['messaging.destination.name', 'messaging.destination.partition.id'],
              }),
              legend: '{{messaging_destination_name}} {{messaging_destination_partition_id}}',
            },
          ],
          alert: 'ConsumerLagStays',
        },
        {
          title: 'Events sent and handled',
          description: 'Events a second, those that failed by the name of their error.',
          unit: 'ops',
          queries: [
            {
              expr: readingsOf('messaging.client.operation.duration', ['error.type']),
              legend: 'sent {{error_type}}',
            },
            { expr: readingsOf('messaging.process.duration', ['error.type']), legend: 'handled {{error_type}}' },
          ],
        },
        {
          title: 'Dead letters',
          description: 'Events a second that nobody could read. Every one of them wants somebody to look.',
          unit: 'ops',
          queries: [
            {
              expr: rateOf('pfq.events.dead_letters', ['messaging.destination.name']),
              legend: '{{messaging_destination_name}}',
            },
          ],
          alert: 'DeadLetters',
        },
      ],
    },
    {
      title: 'The mail',
      panels: [
        {
          title: 'From tap to mail',
          description: 'What 50, 95 and 99 of 100 mails stay below; 99 % are promised below 60 s.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((quantile) => ({
            expr: quantileOf('pfq.mail.delay', { quantile }),
            legend: `${quantile * 100} %`,
          })),
          limit: { above: 60 },
          alert: 'BrokerMailLate',
        },
        {
          title: 'Attempts to send',
          description: 'Attempts a second. A deferred mail is tried again, a failed one is not.',
          unit: 'ops',
          queries: [
            {
              expr: rateOf('pfq.mail.attempts', ['pfq.mail.result', 'pfq.mail.reason']),
              legend: '{{pfq_mail_result}} {{pfq_mail_reason}}',
            },
          ],
          alert: 'MailsFail',
        },
        {
          title: 'Jobs that wait',
          description: 'Background jobs that are not done, those included that wait for their next attempt.',
          unit: 'short',
          queries: [
            { expr: newestOf('pfq.jobs.waiting', { of: 'max', by: ['pfq.job.task'] }), legend: '{{pfq_job_task}}' },
          ],
          alert: 'MailsWait',
        },
        {
          title: 'Age of the oldest job',
          description: 'By task, failed attempts included.',
          unit: 's',
          queries: [
            { expr: newestOf('pfq.jobs.oldest.age', { of: 'max', by: ['pfq.job.task'] }), legend: '{{pfq_job_task}}' },
          ],
          alert: 'JobsStuck',
        },
        {
          title: 'Attempts of jobs that failed',
          description: 'Attempts a second that are made again.',
          unit: 'ops',
          queries: [{ expr: rateOf('pfq.jobs.failures', ['pfq.job.task']), legend: '{{pfq_job_task}}' }],
          alert: 'JobsStuck',
        },
      ],
    },
  ],
};
