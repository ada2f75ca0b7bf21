import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument } from '@pfq/gateway/openapi/document';
import type { Schema } from '@pfq/gateway/openapi/document-types';
import { newQuoteBodies, newQuotes } from '@pfq/gateway/openapi/examples';
import { apiOf, errorOf, quoteOf } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { exampleBody, readExamples, withoutVarying } from '../support/examples.ts';
import type { PublicQuote } from '../support/examples.ts';
import { DOCUMENT } from '../support/strict-schemas.ts';
import { useStack } from '../support/use-stack.ts';

/** A deal that leaves out whatever it may. */
const BAREST = {
  insured: { name: 'Barest LLC', address: { state: 'TX' } },
  policies: [
    {
      premium: '5000.00',
      minimum_earned: { rate: 0 },
      effective_date: '2126-02-01',
      expiration_date: '2127-02-01',
      carrier: { name: 'Unheard-of Insurance' },
      coverages: [{ type: 'other' }],
    },
  ],
};

/** The examples of the document lie in the near past of some day: a hundred years later they are the same deals. */
const laterByCentury = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/"20(?=2\d-\d\d-\d\d")/g, '"21'));

describe('the OpenAPI document', () => {
  const { stack, api } = useStack();

  it('is served to anyone, with the addresses of the stack', async () => {
    const { gateway_url: serverUrl, docs_url: docsUrl } = stack().file;
    const response = await fetch(`${serverUrl}/openapi.json`);
    assert.equal(response.status, 200);
    const served: unknown = await response.json();
    assert.deepEqual(served, JSON.parse(JSON.stringify(openApiDocument({ serverUrl, docsUrl }))));
    assert.equal(response.headers.get('ratelimit-limit'), null);
  });

  it('is at its own address alone, while the documentation has pages below its own', async () => {
    const { gateway_url } = stack().file;
    const kindOf = async (path: string) => {
      const { status, headers } = await fetch(`${gateway_url}${path}`);
      return `${status} ${headers.get('Content-Type')}`;
    };
    assert.equal(await kindOf('/openapi.json?from=browser'), '200 application/json');
    assert.equal(await kindOf('/docs/errors'), '200 text/html; charset=utf-8');
    assert.equal(await kindOf('/docs/nothing'), '404 text/html; charset=utf-8');
    for (const path of ['/openapi.json/', '/openapi.json/anything', '/openapi.jsonl', '/docsx']) {
      assert.equal(errorOf(await apiOf(gateway_url, null).ask('GET', path)).code, 'NOT_FOUND', path);
    }
  });

  for (const [name, { value }] of Object.entries(newQuoteBodies)) {
    it(`shows the very answer to its ${name} deal`, async () => {
      const quote = quoteOf(await api().post(laterByCentury(value)));
      const shown: PublicQuote = laterByCentury(newQuotes[name]?.value);
      assert.deepEqual(withoutVarying(quote), withoutVarying(shown));
    });
  }

  it('lists the codes of notices that deals really get, and no other', async () => {
    const barest = quoteOf(await api().post(BAREST));
    const quotes: Notices[] = [...readExamples().map(({ expected }) => expected), barest].map(toNotices);
    const lists = DOCUMENT.components.schemas['Quote']?.properties ?? {};
    const documented = {
      assumptions: codesOf(lists['assumptions']),
      warnings: codesOf(lists['warnings']),
      issues: codesOf(lists['binding_readiness']?.properties?.['issues']),
    };
    for (const place of ['assumptions', 'warnings', 'issues'] as const) {
      const got = new Set(quotes.flatMap((quote) => quote[place]));
      assert.deepEqual([...got].sort(), [...documented[place]].sort(), place);
    }
  });

  it('describes every way through a quote', async () => {
    const { id, recommended_option_id: option_id } = quoteOf(await api().post(exampleBody('out-of-state')));
    assert.equal(option_id, null);
    const eligible = quoteOf(await api().post(exampleBody('roofing-contractor'), { 'Idempotency-Key': 'once' }));
    const replayed = await api().post(exampleBody('roofing-contractor'), { 'Idempotency-Key': 'once' });
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    const link = await api().ask('POST', `/v1/quotes/${eligible.id}/hosted-link`);
    assert.notEqual(quoteOf(link).hosted_url, eligible.hosted_url);
    const interest = { option_id: eligible.recommended_option_id, note: 'Yes, please.' };
    const path = `/v1/test_helpers/quotes/${eligible.id}/interest`;
    assert.equal(quoteOf(await api().ask('POST', path, { body: interest })).status, 'interested');
    assert.equal(errorOf(await api().ask('POST', path, { body: interest })).code, 'QUOTE_ALREADY_INTERESTED');
    assert.equal(quoteOf(await api().get(eligible.id)).status, 'interested');
    assert.equal((await api().ask('HEAD', `/v1/quotes/${id}`)).text, '');
  });

  type Ask = (api: Api) => ReturnType<Api['ask']>;
  const elsewhere = { body: exampleBody('out-of-state'), headers: { 'Idempotency-Key': 'reused' } };
  const asked: readonly (readonly [outcome: string, Ask, key?: 'live' | 'broker_test'])[] = [
    ['200', (one) => one.ask('GET', '/v1/whoami')],
    ['200', (one) => one.ask('GET', '/v1/whoami'), 'broker_test'],
    ['200', (one) => one.ask('GET', '/v1/coverage-types')],
    ['200', (one) => one.ask('GET', '/v1/applications?limit=100'), 'live'],
    ['200', (one) => one.ask('GET', '/v1/applications')],
    ['400 INVALID_PAGINATION', (one) => one.ask('GET', '/v1/applications?limit=0')],
    ['422 VALIDATION_FAILED', (one) => one.ask('GET', '/v1/applications?updated_since=2026-01-01')],
    ['400 INVALID_JSON', (one) => one.post('{')],
    ['400 INVALID_REQUEST', (one) => one.post('{}', { 'Content-Encoding': 'gzip' })],
    ['400 INVALID_API_VERSION', (one) => one.ask('GET', '/v1/whoami', { headers: { 'Service-Version': 'v1' } })],
    ['400 IDEMPOTENCY_KEY_INVALID', (one) => one.post('{}', { 'Idempotency-Key': 'é' })],
    ['403 TEST_MODE_ONLY', (one) => one.ask('POST', '/v1/test_helpers/quotes/x/interest', { body: {} }), 'live'],
    ['403 BROKER_NOT_ACTIVE', (one) => one.post({ ...BAREST, broker_email: 'nobody@elsewhere.example' })],
    ['403 ACTING_BROKER_NOT_ALLOWED', (one) => one.post({ ...BAREST, broker_email: 'x@y.example' }), 'broker_test'],
    ['404 NOT_FOUND', (one) => one.get('qte_unknown')],
    ['404 NOT_FOUND', (one) => one.ask('POST', '/v1/quotes/qte_unknown/hosted-link', { body: {} })],
    ['404 NOT_FOUND', (one) => one.ask('GET', '/v1/nowhere')],
    ['405', (one) => one.ask('DELETE', '/v1/quotes')],
    ['422 VALIDATION_FAILED', (one) => one.post('')],
    ['422 VALIDATION_FAILED', (one) => one.ask('POST', '/v1/quotes/x/hosted-link', { body: { force: true } })],
    ['201', (one) => one.ask('POST', '/v1/quotes', elsewhere)],
    ['409 IDEMPOTENCY_KEY_REUSED', (one) => one.post(BAREST, elsewhere.headers)],
  ];
  for (const [index, [outcome, ask, key = 'test']] of asked.entries()) {
    it(`describes the answer ${outcome} (${index + 1})`, async () => {
      const answer = await ask(api(key));
      const code = answer.status < 400 || answer.text === '' ? '' : ` ${errorOf(answer).code}`;
      assert.equal(`${answer.status}${code}`, outcome);
    });
  }

  it('describes the answer to a key that is not one', async () => {
    for (const key of [null, 'pfq_test_mistyped']) {
      const answer = await apiOf(stack().file.gateway_url, key).ask('GET', '/v1/whoami');
      assert.equal(errorOf(answer).code, 'INVALID_API_KEY');
    }
  });
});

type Notices = Readonly<Record<'assumptions' | 'warnings' | 'issues', readonly string[]>>;
type Listed = readonly { readonly code: string }[];

function toNotices(quote: PublicQuote): Notices {
  const {
    assumptions,
    warnings,
    binding_readiness,
  }: { assumptions: Listed; warnings: Listed; binding_readiness: { issues: Listed } } = JSON.parse(
    JSON.stringify(quote),
  );
  const codes = (list: Listed) => list.map(({ code }) => code);
  return { assumptions: codes(assumptions), warnings: codes(warnings), issues: codes(binding_readiness.issues) };
}

function codesOf(list: Schema | undefined): readonly string[] {
  return list?.items?.properties?.['code']?.['x-extensible-enum'] ?? [];
}
