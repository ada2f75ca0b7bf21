import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ERROR_EXAMPLES } from '@pfq/gateway/openapi/error-examples';
import type { ErrorCode } from '@pfq/kit/error-codes';
import { apiOf, errorOf, quoteOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { runShell } from '../support/curl.ts';
import { startDocumentedFront } from '../support/documented-front.ts';
import { exampleBody } from '../support/examples.ts';
import { differencesOf } from '../support/shown-answer.ts';
import type { RunningStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';
import type { StackOfSuite } from '../support/use-stack.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/api');
const FENCE = /^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm;
/** Printed between the outputs of a page's blocks. */
const BORDER = '---8<---';

/** A block of code in a page; `answer` is what it is said to print. */
type Block = { readonly language: string; readonly code: string; readonly answer: Shown | null };
type Shown = { readonly language: string; readonly code: string };

type Surroundings = { readonly stack: RunningStack; readonly api: StackOfSuite['api'] };

/** Requests that are refused with a code, one for each code that a request alone can bring about. */
const REFUSALS: readonly (readonly [code: ErrorCode, provoke: (surroundings: Surroundings) => Promise<Answer>])[] = [
  ['INVALID_REQUEST', ({ api }) => api().post(' '.repeat(2 * 1024 * 1024 + 1))],
  ['INVALID_JSON', ({ api }) => api().post('{"a":1,"a":2}')],
  [
    'VALIDATION_FAILED',
    ({ api }) => {
      const { insured, policies } = JSON.parse(exampleBody('below-minimum'));
      return api().post({
        insured: { ...insured, address: { state: 'Texas' } },
        policies: [{ ...policies[0], premium: 20000 }],
      });
    },
  ],
  ['INVALID_API_VERSION', ({ api }) => api().ask('GET', '/v1/whoami', { headers: { 'Service-Version': 'v1' } })],
  ['IDEMPOTENCY_KEY_INVALID', ({ api }) => api().post('{}', { 'Idempotency-Key': '' })],
  ['INVALID_PAGINATION', ({ api }) => api().ask('GET', '/v1/applications?starting_after=app_8Dm9tQ4sN2bXr7Vw1KcLpZ')],
  ['INVALID_API_KEY', ({ stack }) => apiOf(stack.file.gateway_url, stack.file.keys.test.slice(1)).get('qte_1')],
  [
    'KEY_REVOKED',
    async ({ stack }) => {
      const { id, key } = await createKey(stack, { name: 'revoked', scopes: ['quotes:read'] });
      await stack.pfq('key', 'revoke', id);
      return apiOf(stack.file.gateway_url, key).get('qte_1');
    },
  ],
  ['TEST_MODE_ONLY', ({ api }) => api('live').ask('POST', '/v1/test_helpers/quotes/qte_1/interest', { body: {} })],
  [
    'MISSING_SCOPE',
    async ({ stack }) => {
      const { key } = await createKey(stack, { name: 'reader', scopes: ['quotes:read'] });
      return apiOf(stack.file.gateway_url, key).post('{}');
    },
  ],
  ['BROKER_NOT_ACTIVE', ({ api }) => api().post(dealOf('nobody@elsewhere.example'))],
  ['ACTING_BROKER_NOT_ALLOWED', ({ api }) => api('broker_test').post(dealOf('nobody@elsewhere.example'))],
  ['NOT_FOUND', ({ api }) => api().get('qte_1')],
  [
    'QUOTE_ALREADY_INTERESTED',
    async ({ api }) => {
      const { id, recommended_option_id: option_id } = quoteOf(await api().post(exampleBody('roofing-contractor')));
      const respond = () => api().ask('POST', `/v1/test_helpers/quotes/${id}/interest`, { body: { option_id } });
      await respond();
      return respond();
    },
  ],
  [
    'IDEMPOTENCY_KEY_REUSED',
    async ({ api }) => {
      const headers = { 'Idempotency-Key': 'an example' };
      await api().post(exampleBody('out-of-state'), headers);
      return api().post(exampleBody('below-minimum'), headers);
    },
  ],
];

describe('the documentation', () => {
  const { stack, api } = useStack();
  const pages = globSync('*.md', { cwd: FOLDER }).sort();

  for (const page of pages.filter((file) => blocksOf(readPage(file)).length > 0)) {
    it(`${page}: every block of shell and JavaScript runs and prints what the page says`, async (t) => {
      const { gateway_url, docs_url } = stack().file;
      const front = await startDocumentedFront(t, gateway_url);
      const scopes = ['quotes:write', 'quotes:read', ...(page === 'applications.md' ? ['applications:read'] : [])];
      const { key } = await createKey(stack(), { name: page, scopes });
      const source = readPage(page)
        .replaceAll('{{base_url}}', front.url)
        .replaceAll('{{docs_url}}', docs_url)
        .replaceAll('pfq_test_YOUR_KEY', key);
      const blocks = blocksOf(source);
      const printed = await runShell(scriptOf(blocks), { PFQ_URL: front.url, PFQ_KEY: key });
      const outputs = printed.split(BORDER).map((output) => output.trim());
      for (const [index, { code, answer }] of blocks.entries()) {
        const differences = answer === null ? [] : differencesOf(answer, outputs[index] ?? '');
        assert.deepEqual(differences, [], `the answer to\n${code}`);
      }
      assert.deepEqual(front.problems, []);
    });
  }

  for (const [code, provoke] of REFUSALS) {
    it(`shows ${code} in the words of the service`, async () => {
      const { message, param, details = [] } = errorOf(await provoke({ stack: stack(), api }));
      const shown = ERROR_EXAMPLES[code];
      assert.deepEqual([message, param, details], [shown?.message, shown?.param, shown?.details]);
    });
  }

  it('is where doc_url leads to', async () => {
    const { gateway_url, docs_url } = stack().file;
    const { code, doc_url } = errorOf(await apiOf(gateway_url, null).ask('GET', '/v1/whoami'));
    assert.equal(doc_url, `${docs_url}/errors#INVALID_API_KEY`);
    const page = await fetch(doc_url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), new RegExp(`id="${code}"`));
  });
});

function readPage(file: string): string {
  return readFileSync(path.join(FOLDER, file), 'utf8');
}

/** Every block that runs, with the answer that follows it. */
function blocksOf(source: string): readonly Block[] {
  const fences = [...source.matchAll(FENCE)].map(([, language = '', remark = '', code = '']) => ({
    language,
    remark,
    code,
  }));
  return fences.flatMap(({ language, code }, index) => {
    if (language !== 'sh' && language !== 'js') return [];
    const next = fences[index + 1];
    return [{ language, code, answer: next?.remark === 'answer' ? next : null }];
  });
}

/** One script for a page, so that what a block sets the next ones have. */
function scriptOf(blocks: readonly Block[]): string {
  const steps = blocks.map(({ language, code }, index) => {
    if (language === 'sh') return code;
    return `cat > block-${index}.mjs <<'END OF BLOCK'\n${code}END OF BLOCK\nnode block-${index}.mjs\n`;
  });
  return steps.join(`\necho '${BORDER}'\n`);
}

/** An agency's test key. Pages have one each, because a key may make 60 requests a minute. */
async function createKey(
  stack: RunningStack,
  { name, scopes }: { name: string; scopes: readonly string[] },
): Promise<{ readonly id: string; readonly key: string }> {
  const { agency_id: agency, brokers } = stack.file;
  const broker = brokers[0]?.email ?? '';
  const options = { agency, mode: 'test', type: 'agency', broker, scopes: scopes.join(','), name };
  const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  const { stdout } = await stack.pfq('key', 'create', ...words, '--json');
  return JSON.parse(stdout);
}

function dealOf(broker_email: string): object {
  return { ...JSON.parse(exampleBody('out-of-state')), broker_email };
}
