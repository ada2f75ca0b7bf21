import type { Board, Panel } from './board.ts';
import { REACHED } from './dependencies.ts';
import { burnOf, newestOf, quantileOf, rateOf, readingsOf } from './queries.ts';

const DURATION = 'http.server.request.duration';
const FAULT = { 'http.response.status_code': { like: '5..' } } as const;

/** Share of the budget that is being spent; the alerts look at shorter windows too. */
function budget(alert: string, what: string): Panel {
  return {
    title: `Budget: ${what}`,
    description: `How fast the last three days spent what the objective allows: 100 % is just allowed.`,
    unit: 'percentunit',
    kind: 'number',
    queries: [{ expr: burnOf(alert), legend: what }],
    limit: { above: 1 },
    alert,
  };
}

export const OVERVIEW: Board = {
  name: 'overview',
  title: 'Overview',
  description: 'Whether users get what they were promised, and which service is the cause where they do not.',
  rows: [
    {
      title: 'What was promised',
      panels: [
        budget('QuoteCreationFails', 'quotes that fail (0.1 %)'),
        budget('QuoteCreationSlow', 'quotes over 800 ms (5 %)'),
        budget('HostedPageFails', 'hosted pages that fail (0.05 %)'),
        budget('BrokerMailLate', 'mails over 60 s (1 %)'),
      ],
    },
    {
      title: 'Public requests',
      panels: [
        {
          title: 'Requests by route',
          description: 'Public requests a second that the gateway and the hosted page answered.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf(DURATION, ['job', 'http.request.method', 'http.route']),
              legend: '{{job}} {{http_request_method}} {{http_route}}',
            },
          ],
        },
        {
          title: 'Failures by route',
          description:
            'Answers 5xx a second, by public error code. 503 leaves nothing behind, 500 is a bug or unknown.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf(DURATION, ['job', 'http.route', 'http.response.status_code', 'error.type'], FAULT),
              legend: '{{job}} {{http_route}} {{http_response_status_code}} {{error_type}}',
            },
          ],
          alert: 'QuoteCreationFails',
        },
        {
          title: 'Duration by route, 95 %',
          description: 'What 95 of 100 requests stay below. POST /v1/quotes is promised to stay below 800 ms.',
          unit: 's',
          queries: [
            {
              expr: quantileOf(DURATION, { quantile: 0.95, by: ['job', 'http.request.method', 'http.route'] }),
              legend: '{{job}} {{http_request_method}} {{http_route}}',
            },
          ],
          limit: { above: 0.8 },
          alert: 'QuoteCreationSlow',
        },
        {
          title: 'Refusals by limit',
          description: 'Requests a second that were over a limit and got 429.',
          unit: 'reqps',
          queries: [
            { expr: rateOf('pfq.limit.refusals', ['pfq.limit', 'pfq.mode']), legend: '{{pfq_limit}} {{pfq_mode}}' },
          ],
        },
      ],
    },
    {
      title: 'Services',
      panels: [
        {
          title: 'Ready instances',
          description: 'Instances of each service that take requests.',
          unit: 'short',
          queries: [{ expr: newestOf('pfq.ready', { of: 'sum', by: ['job'] }), legend: '{{job}}' }],
          limit: { below: 1 },
          alert: 'ServiceNotReady',
        },
        REACHED,
        {
          title: 'Event loop, 99 %',
          description: 'How late timers ran that should have run at once. Above 250 ms everything is late by as much.',
          unit: 's',
          queries: [
            {
              expr: newestOf('nodejs.eventloop.delay.p99', { of: 'max', by: ['job', 'instance'] }),
              legend: '{{job}} {{instance}}',
            },
          ],
          limit: { above: 0.25 },
          alert: 'EventLoopBlocked',
        },
        {
          title: 'Processor',
          description: 'Processor seconds a second of each instance: 1 is a whole core, and one thread serves.',
          unit: 'short',
          queries: [{ expr: rateOf('process.cpu.time', ['job', 'instance']), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Memory',
          description: 'Resident memory of each instance.',
          unit: 'bytes',
          queries: [
            {
              expr: newestOf('process.memory.usage', { of: 'max', by: ['job', 'instance'] }),
              legend: '{{job}} {{instance}}',
            },
          ],
        },
        {
          title: 'Requests that are not kept',
          description: 'Requests a second that `pfq request show` will not find, although they were answered.',
          unit: 'reqps',
          queries: [
            {
              expr: rateOf('pfq.request_log.dropped', ['pfq.request_log.reason']),
              legend: '{{pfq_request_log_reason}}',
            },
          ],
          alert: 'RequestLogDropping',
        },
      ],
    },
  ],
};
