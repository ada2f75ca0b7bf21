import { series } from '../../deploy/observability/promql.ts';
import { ALL_WELL, during, growing } from './alert-case.ts';
import type { AlertCase } from './alert-case.ts';

const REQUESTS = 'http.server.request.duration';

function quotes(status: string) {
  const where = { job: 'pfq/gateway', 'http.route': '/v1/quotes', 'http.request.method': 'POST' } as const;
  return series(REQUESTS, { part: 'count', where: { ...where, 'http.response.status_code': status } });
}

function quotesBelow(seconds: string) {
  const where = { job: 'pfq/gateway', 'http.route': '/v1/quotes', 'http.request.method': 'POST' } as const;
  return series(REQUESTS, { part: 'bucket', where: { ...where, 'http.response.status_code': '201', le: seconds } });
}

function pages(status: string) {
  const where = { job: 'pfq/hosted-page', 'http.route': '/q/{token}', 'http.request.method': 'GET' } as const;
  return series(REQUESTS, { part: 'count', where: { ...where, 'http.response.status_code': status } });
}

const mails = series('pfq.mail.delay', { part: 'count' });
const mailsBelow = (seconds: string) => series('pfq.mail.delay', { part: 'bucket', where: { le: seconds } });

/** An hour of trouble, then none: first both fire, then what looks back for long, then nothing. */
const TROUBLE = 60;
const LONG = 10 * 60;

function troubleOf(alert: string): AlertCase['checks'] {
  return [
    { at: '10m', firing: [] },
    { at: '60m', firing: [`${alert} page`, `${alert} ticket`] },
    { at: '3h', firing: [`${alert} ticket`] },
    { at: '8h', firing: [] },
  ];
}

const afterTen = (perMinute: number) => growing([10, 0], [TROUBLE, perMinute], [LONG, 0]);

const budgets: readonly Omit<AlertCase, 'evaluatedEvery'>[] = [
  {
    name: 'one quote in ten fails for an hour',
    series: { [quotes('201')]: growing([LONG, 100]), [quotes('503')]: afterTen(10) },
    checks: troubleOf('QuoteCreationFails'),
  },
  {
    name: 'one quote in 250 fails, all the time',
    series: { [quotes('201')]: growing([LONG, 249]), [quotes('500')]: growing([30, 0], [150, 1], [LONG, 0]) },
    checks: [
      { at: '3h', firing: ['QuoteCreationFails ticket'] },
      { at: '9h30m', firing: [] },
    ],
  },
  {
    name: 'requests that are refused are no failures',
    series: {
      [quotes('201')]: growing([LONG, 1]),
      [quotes('422')]: growing([LONG, 100]),
      [quotes('429')]: growing([LONG, 100]),
    },
    checks: [{ at: '1h', firing: [] }],
  },
  {
    name: 'two failures in a night of ten requests wake nobody',
    series: { [quotes('201')]: during([LONG, 10]), [quotes('500')]: growing([10, 0], [2, 1], [LONG, 0]) },
    checks: [{ at: '20m', firing: ['QuoteCreationFails ticket'] }],
  },
  {
    name: 'nearly all quotes take over 800 ms for an hour',
    series: {
      [quotes('201')]: growing([LONG, 100]),
      [quotesBelow('0.8')]: growing([10, 100], [TROUBLE, 5], [LONG, 100]),
      [quotesBelow('+Inf')]: growing([LONG, 100]),
    },
    checks: troubleOf('QuoteCreationSlow'),
  },
  {
    name: 'one page in twenty fails for an hour',
    series: { [pages('200')]: growing([LONG, 95]), [pages('503')]: afterTen(5) },
    checks: troubleOf('HostedPageFails'),
  },
  // Prometheus 3 writes the bound as 60.0, older ones as 60.
  ...['60', '60.0'].map((bound) => ({
    name: `mails take over a minute for an hour (bound ${bound})`,
    series: { [mails]: growing([LONG, 10]), [mailsBelow(bound)]: growing([10, 10], [TROUBLE, 1], [LONG, 10]) },
    checks: troubleOf('BrokerMailLate').slice(0, bound === '60' ? 4 : 2),
  })),
];

/** Every alert on an objective: each fires, and clears. */
export const BUDGET_CASES: readonly AlertCase[] = budgets.map((one) => ({
  ...one,
  evaluatedEvery: '10m',
  series: { ...ALL_WELL, ...one.series },
}));
