import { createQuote } from './create-quote.ts';
import type { Endpoint } from './endpoint.ts';
import { expressTestInterest } from './express-test-interest.ts';
import { getQuote } from './get-quote.ts';
import { issueHostedLink } from './issue-hosted-link.ts';
import { listApplications } from './list-applications.ts';
import { listCoverageTypes } from './list-coverage-types.ts';
import { whoami } from './whoami.ts';

/** The public endpoints: one line each. */
export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/quotes', scope: 'quotes:write', isNewQuote: true, prepare: createQuote },
  { method: 'GET', path: '/v1/quotes/{id}', scope: 'quotes:read', read: getQuote },
  { method: 'POST', path: '/v1/quotes/{id}/hosted-link', scope: 'quotes:write', prepare: issueHostedLink },
  { method: 'GET', path: '/v1/coverage-types', scope: null, read: listCoverageTypes },
  { method: 'GET', path: '/v1/whoami', scope: null, read: whoami },
  {
    method: 'POST',
    path: '/v1/test_helpers/quotes/{id}/interest',
    scope: 'quotes:write',
    isTestHelper: true,
    prepare: expressTestInterest,
  },
  { method: 'GET', path: '/v1/applications', scope: 'applications:read', read: listApplications },
];
