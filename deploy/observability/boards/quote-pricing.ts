import type { Board } from './board.ts';
import { newestOf, quantileOf, rateOf, readingsOf } from './queries.ts';

const REQUESTS = 'http.server.request.duration';
const POSTS = { job: 'pfq/gateway', 'http.route': '/v1/quotes', 'http.request.method': 'POST' } as const;
const CREATED = { ...POSTS, 'http.response.status_code': '201' } as const;
const PRICING = { 'rpc.method': { like: 'pfq[.]pricing[.].*' } } as const;
const PERCENTILES = [0.5, 0.95, 0.99];

export const QUOTE_PRICING: Board = {
  name: 'quote-pricing',
  title: 'Quote pricing',
  description: 'POST /v1/quotes from its arrival to the price, and what the prices are made from.',
  rows: [
    {
      title: 'POST /v1/quotes',
      panels: [
        {
          title: 'Answers by status',
          description: 'Answers a second. 201 is a quote, 422 a request that breaks a rule, 503 an outage.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf(REQUESTS, ['http.response.status_code', 'error.type'], POSTS),
              legend: '{{http_response_status_code}} {{error_type}}',
            },
          ],
          alert: 'QuoteCreationFails',
        },
        {
          title: 'Duration of what was created',
          description:
            'What 50, 95 and 99 of 100 answers 201 stay below, replays included. 95 % are promised below 800 ms.',
          unit: 's',
          queries: PERCENTILES.map((quantile) => ({
            expr: quantileOf(REQUESTS, { quantile, where: CREATED }),
            legend: `${quantile * 100} %`,
          })),
          limit: { above: 0.8 },
          alert: 'QuoteCreationSlow',
        },
        {
          title: 'Idempotency-Key',
          description: 'What became of requests that came with a key. A record that was lost is a request that died.',
          unit: 'reqps',
          queries: [
            {
              expr: rateOf('pfq.idempotency.outcomes', ['pfq.idempotency.outcome']),
              legend: '{{pfq_idempotency_outcome}}',
            },
          ],
          alert: 'IdempotencyRecordLost',
        },
        {
          title: 'Calls of the gateway, 95 %',
          description: 'What 95 of 100 calls from the gateway to other services stay below: where the time goes.',
          unit: 's',
          queries: [
            {
              expr: quantileOf('rpc.client.call.duration', {
                quantile: 0.95,
                by: ['rpc.method'],
                where: { job: 'pfq/gateway' },
              }),
              legend: '{{rpc_method}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Prices',
      panels: [
        {
          title: 'Deals by verdict',
          description: 'Deals a second that were priced for a quote.',
          unit: 'ops',
          queries: [
            {
              expr: rateOf('pfq.quotes.priced', ['pfq.quote.outcome', 'pfq.mode']),
              legend: '{{pfq_mode}} {{pfq_quote_outcome}}',
            },
          ],
        },
        {
          title: 'Checks that deals failed',
          description:
            'A sudden change follows from new settings, a new declined list, or one agency sending other deals.',
          unit: 'ops',
          queries: [
            {
              expr: rateOf('pfq.eligibility.failures', ['pfq.eligibility.check']),
              legend: '{{pfq_eligibility_check}}',
            },
          ],
        },
        {
          title: 'Options of a deal',
          description:
            'Half of the deals have as many options or fewer; 30 is the most with the settings of the first release.',
          unit: 'short',
          queries: [
            { expr: quantileOf('pfq.quotes.options', { quantile: 0.5, by: ['pfq.mode'] }), legend: '{{pfq_mode}}' },
          ],
        },
        {
          title: 'Calls to pricing by status',
          description: 'Calls a second that pricing answered.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf('rpc.server.call.duration', ['rpc.method', 'rpc.status_code'], PRICING),
              legend: '{{rpc_method}} {{rpc.status_code}}',
            },
          ],
        },
        {
          title: 'Age of the rate sheet',
          description: 'Against the age from which it prices nothing any more; no line where there is no such age.',
          unit: 's',
          queries: [
            { expr: newestOf('pfq.rate_sheet.age', { of: 'max', by: [] }), legend: 'age' },
            { expr: newestOf('pfq.rate_sheet.age.limit', { of: 'min', by: [] }), legend: 'limit' },
          ],
          alert: 'RateSheetOld',
        },
      ],
    },
  ],
};
