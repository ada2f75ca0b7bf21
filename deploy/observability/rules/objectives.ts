import { series, sumBy, upTo } from '../promql.ts';
import type { Where } from '../promql.ts';

/** What users were promised, as a share of requests or mails that may go wrong. */
export type Objective = {
  /** Of the alert that watches it. */
  readonly alert: string;
  /** Of its recorded series. */
  readonly slug: string;
  /** Share that may go wrong. */
  readonly budget: number;
  /** Rates per second in a window, of everything and of what went wrong. */
  readonly all: (window: string) => string;
  readonly bad: (window: string) => string;
  /** Completes "… of … in the last hour" in words. */
  readonly what: string;
  readonly usersNotice: string;
};

/** The objective of `POST /v1/quotes`, which is one of the bounds of the histogram. */
const QUOTE_SECONDS = 0.8;
/** From the tap to the mail. */
const MAIL_SECONDS = 60;

const DURATION = 'http.server.request.duration';
const POSTS = { job: 'pfq/gateway', 'http.route': '/v1/quotes', 'http.request.method': 'POST' };
const CREATED = { ...POSTS, 'http.response.status_code': '201' };
const PAGES = { job: 'pfq/hosted-page' };
const FAULT = { 'http.response.status_code': { like: '5..' } };

const total = (rate: string) => `${sumBy([])} (${rate})`;
const rateOf = (where: Where<typeof DURATION>, over: string) =>
  `rate(${series(DURATION, { part: 'count', where, over })})`;

export const OBJECTIVES: readonly Objective[] = [
  {
    alert: 'QuoteCreationFails',
    slug: 'quote_creation_failed',
    budget: 0.001,
    all: (window) => total(rateOf(POSTS, window)),
    bad: (window) => total(rateOf({ ...POSTS, ...FAULT }, window)),
    what: 'POST /v1/quotes answers 5xx',
    usersNotice: "Agencies' backends get no quote and have to ask again.",
  },
  {
    alert: 'QuoteCreationSlow',
    slug: 'quote_creation_slow',
    budget: 0.05,
    all: (window) => total(rateOf(CREATED, window)),
    bad: (window) =>
      `${total(rateOf(CREATED, window))} - ${total(
        `rate(${series(DURATION, { part: 'bucket', where: { ...CREATED, le: upTo(QUOTE_SECONDS) }, over: window })})`,
      )}`,
    what: 'POST /v1/quotes takes longer than 800 ms',
    usersNotice: 'Brokers wait for their quotes; some backends give up and ask again.',
  },
  {
    alert: 'HostedPageFails',
    slug: 'hosted_page_failed',
    budget: 0.0005,
    all: (window) => total(rateOf(PAGES, window)),
    bad: (window) => total(rateOf({ ...PAGES, ...FAULT }, window)),
    what: 'the hosted page answers 5xx',
    usersNotice: 'Insureds cannot see their quote or say that they are interested; the page asks them to try again.',
  },
  {
    alert: 'BrokerMailLate',
    slug: 'broker_mail_late',
    budget: 0.01,
    all: (window) => total(`rate(${series('pfq.mail.delay', { part: 'count', over: window })})`),
    bad: (window) =>
      `${total(`rate(${series('pfq.mail.delay', { part: 'count', over: window })})`)} - ${total(
        `rate(${series('pfq.mail.delay', { part: 'bucket', where: { le: upTo(MAIL_SECONDS) }, over: window })})`,
      )}`,
    what: 'the mail to the broker leaves more than 60 s after the tap',
    usersNotice: 'Brokers hear late that an insured is interested.',
  },
];
