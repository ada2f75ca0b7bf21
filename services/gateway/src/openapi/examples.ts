import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { CURRENT_VERSION } from '../versions/changes.ts';
import type { Examples } from './document-types.ts';
import application from './examples/application.json' with { type: 'json' };
import ineligibleQuote from './examples/ineligible-quote.json' with { type: 'json' };
import ineligibleRequest from './examples/ineligible-quote-request.json' with { type: 'json' };
import quote from './examples/quote.json' with { type: 'json' };
import quoteRequest from './examples/quote-request.json' with { type: 'json' };

const OPTION = quote.recommended_option_id;
const asRead = { ...quote, hosted_url: null };
const interest = {
  option_id: OPTION,
  note: 'Please call before noon.',
  submitted_at: '2026-11-23T15:04:05.678Z',
  broker_notification: {
    status: 'skipped',
    reason: 'test_mode',
    recipient: null,
    recipients: [],
    at: '2026-11-23T15:04:05.678Z',
  },
};

const notified = {
  status: 'sent',
  reason: null,
  recipient: quote.broker.email,
  recipients: [quote.broker.email],
  at: '2026-11-23T15:04:06.543Z',
};

export const QUOTE_ID = quote.id;
export const APPLICATION_ID = application.id;

/** Deals with the very answers that they got. */
export const newQuoteBodies: Examples = {
  eligible: { summary: 'Two policies of different carriers for a project of four months', value: quoteRequest },
  ineligible: { summary: 'An insured outside Texas', value: ineligibleRequest },
};
export const newQuotes: Examples = {
  eligible: { summary: 'An eligible deal; a policy of twelve months has 30 options', value: quote },
  ineligible: { summary: 'An ineligible deal: its reasons, and no options', value: ineligibleQuote },
};
export const quotes: Examples = {
  active: { summary: 'A quote as it was priced', value: asRead },
  notified: {
    summary: 'A live quote with a response, of which the broker has heard',
    value: {
      ...asRead,
      livemode: true,
      status: 'interested',
      selected_option_id: OPTION,
      interest: { ...interest, broker_notification: notified },
    },
  },
};
export const linkBodies: Examples = { nothing: { summary: 'An empty object, or no body at all', value: {} } };
export const freshLinks: Examples = {
  fresh_link: {
    summary: 'The quote with its new link',
    value: { ...quote, hosted_url: 'https://pay.example/q/8CjmyR0e1Uu3xXv2mFqVtYh4kZs7bNpLdWaQgTiEoJc' },
  },
};
export const interestBodies: Examples = {
  with_note: { summary: 'The recommended option', value: { option_id: OPTION, note: interest.note } },
};
export const interestedQuotes: Examples = {
  interested: {
    summary: 'The quote with the response',
    value: { ...asRead, status: 'interested', selected_option_id: OPTION, interest },
  },
};
export const coverageTypes: Examples = {
  some: {
    summary: 'Two of the types',
    value: {
      object: 'list',
      data: COVERAGE_TYPES.filter(({ type }) => type === 'general_liability' || type === 'windstorm'),
    },
  },
};
export const whoamis: Examples = {
  agency_key: {
    summary: 'A test key of an agency',
    value: {
      object: 'whoami',
      livemode: false,
      brokerage: { name: 'Demo Agency' },
      acting_broker: { email: quote.broker.email, name: 'Avery Stone' },
      api_key: { type: 'agency', scopes: ['quotes:write', 'quotes:read', 'applications:read'] },
      api_version: CURRENT_VERSION,
    },
  },
};
export const applicationLists: Examples = {
  first_page: {
    summary: 'A page that another one follows',
    value: { object: 'list', data: [application], has_more: true, next_cursor: application.id },
  },
};
