import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { BrokerStatus } from '@pfq/proto/gateway/v1/admin_pb';
import { ServiceError } from '@pfq/kit/errors';
import { usePfq } from '../testing/use-pfq.ts';
import { PLACES, QUOTE, useInstallation } from './smoke-installation.test-support.ts';

const { fake, folder, pfq, tellToStop } = usePfq();
const { url, asked, answers } = useInstallation();

const addresses = () => ['--api', url(), '--hosted', url()];
const smoke = async (...more: readonly string[]) => {
  const { exitCode, output, errors } = await pfq('smoke', ...addresses(), ...more, '--json');
  assert.equal(errors, '');
  return { exitCode, report: JSON.parse(output) };
};
const stepsOf = ({ steps }: { steps: readonly { step: string; passed: boolean }[] }) =>
  steps.map(({ step, passed }) => `${step} ${passed ? 'passed' : 'failed'}`);
const lastFailure = ({ steps }: { steps: readonly { passed: boolean; says: string }[] }) =>
  steps.find(({ passed }) => !passed)?.says ?? '';

test('a quote is priced, read and shown with a key that is made for it and revoked', async () => {
  const { exitCode, report } = await smoke();
  assert.equal(exitCode, 0);
  assert.partialDeepStrictEqual(report, { passed: true, quote_id: QUOTE.id });
  assert.deepEqual(stepsOf(report), [
    'prepare passed',
    'authenticate passed',
    'price passed',
    'read passed',
    'page passed',
    'tidy passed',
  ]);
  for (const { duration_ms: durationMs } of report.steps) assert.ok(Number.isInteger(durationMs));
  const { keys } = fake().state;
  const authorization = `Bearer pfq_secret_of_${keys[0]?.id}`;
  assert.deepEqual(asked, [
    { place: PLACES.whoami, authorization },
    { place: PLACES.create, authorization },
    { place: PLACES.read, authorization },
    { place: PLACES.page, authorization: undefined },
  ]);
  assert.ok(keys.every(({ revokedAt }) => revokedAt !== undefined));
  // Of today, or of tomorrow in the last minutes of a day.
  assert.ok(Date.parse(keys[0]?.expiresOn ?? '') <= Date.now() + 86_400_000);
});

test('people see each step with its time, and one sentence', async () => {
  const { output } = await pfq('smoke', 'run', ...addresses());
  assert.match(output, /^price +yes +\d+ +qte_\d+ with 1 options whose amounts add up$/m);
  assert.match(output, new RegExp(`\n\n${QUOTE.id} was priced, read and shown\\.\n$`));
});

test('the agency and its broker are found again, switched on again where somebody switched them off', async () => {
  await smoke();
  const { agencies, brokers } = fake().state;
  for (const agency of agencies) agency.testEnabled = false;
  for (const broker of brokers) broker.status = BrokerStatus.INACTIVE;
  await smoke();
  assert.deepEqual([agencies.length, brokers.length], [1, 1]);
  assert.partialDeepStrictEqual(agencies, [{ name: 'Smoke test', testEnabled: true, liveEnabled: false }]);
  assert.partialDeepStrictEqual(brokers, [{ status: BrokerStatus.ACTIVE }]);
});

test('with a key of its own it asks nothing of the operator', async () => {
  await writeFile(path.join(folder(), 'key'), 'pfq_test_given\n');
  const { exitCode, report } = await smoke('--key', 'key');
  assert.equal(exitCode, 0);
  assert.deepEqual(stepsOf(report), ['authenticate passed', 'price passed', 'read passed', 'page passed']);
  assert.equal(asked[0]?.authorization, 'Bearer pfq_test_given');
  assert.deepEqual(fake().state.calls, []);
});

const [OPTION] = QUOTE.options;
const changed = (part: object) => ({ status: 201, body: { ...QUOTE, ...part } });
const FAILURES: readonly (readonly [string, string, { status: number; body: object | string }, string, RegExp])[] = [
  ['a live key', PLACES.whoami, { status: 200, body: { livemode: true } }, 'authenticate', /the key is a live one/],
  [
    'a refusal',
    PLACES.create,
    { status: 403, body: { error: { code: 'MISSING_SCOPE', message: 'quotes:write is missing.' } } },
    'price',
    /POST http:\S+\/v1\/quotes answered 403: MISSING_SCOPE: quotes:write is missing\. \(request req_of_the_fake\)/,
  ],
  ['an address of something else', PLACES.create, { status: 200, body: '<html>' }, 'price', /is not the API/],
  [
    'an ineligible deal',
    PLACES.create,
    changed({ options: [], eligibility: { reasons: [{ code: 'COVERAGE', message: 'It is declined.' }] } }),
    'price',
    /has no options: COVERAGE, It is declined\./,
  ],
  ...(['down_payment', 'amount_financed', 'monthly_payment', 'finance_charge', 'total_cost'] as const).map(
    (amount) =>
      [
        `a wrong ${amount}`,
        PLACES.create,
        changed({ options: [{ ...OPTION, [amount]: '0.01' }] }),
        'price',
        /the amounts of qte_\d+, opt_25_10 do not add up/,
      ] as const,
  ),
  ['another quote than was made', PLACES.read, { status: 200, body: QUOTE }, 'read', /is not what it was/],
  ['a page that is gone', PLACES.page, { status: 410, body: '' }, 'page', /GET http:\S+\/… answered 410: that is not/],
  [
    'a page without its options',
    PLACES.page,
    { status: 200, body: 'Smoke Test Roofing LLC' },
    'page',
    /lacks opt_25_10/,
  ],
];

for (const [what, place, answer, step, line] of FAILURES) {
  test(`exit 1, the step and the reason for ${what}, and the key is revoked`, async () => {
    answers.set(place, answer);
    const { exitCode, report } = await smoke();
    assert.deepEqual([exitCode, report.passed], [1, false]);
    assert.deepEqual(stepsOf(report).slice(-2), [`${step} failed`, 'tidy passed']);
    assert.match(lastFailure(report), line);
    assert.ok(fake().state.keys.every(({ revokedAt }) => revokedAt !== undefined));
  });
}

test('where nothing can be priced, the rate sheet is looked at and the cure is named', async () => {
  answers.set(PLACES.create, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } } });
  const { report } = await smoke();
  assert.match(
    lastFailure(report),
    /nothing is priced\. No rate sheet has been loaded\. Load one: pfq rates load FILE/,
  );
  fake().state.rateSheets.push('{ "as_of": "2026-11-01", "rates": {} }');
  assert.match(
    lastFailure((await smoke()).report),
    /The rate sheet is of 2026-11-01: if that is too old, load another/,
  );
  await writeFile(path.join(folder(), 'key'), 'pfq_test_given');
  assert.match(lastFailure((await smoke('--key', 'key')).report), /Is a rate sheet loaded\? pfq rates show/);
});

test('what the operator is refused ends the test at its step', async () => {
  fake().state.refusal = new ServiceError('INTERNAL', { message: 'The gateway broke.' });
  const { exitCode, report } = await smoke();
  assert.equal(exitCode, 1);
  assert.deepEqual(stepsOf(report), ['prepare failed']);
  assert.equal(lastFailure(report), 'The gateway broke.');
});

test('an address where nobody listens is named', async () => {
  const { output } = await pfq('smoke', '--api', 'http://127.0.0.1:9', '--hosted', url(), '--json');
  assert.match(lastFailure(JSON.parse(output)), /GET http:\/\/127\.0\.0\.1:9\/v1\/whoami got no answer: \w+/);
});

test('whoever stops it gets exit 130, and the key is revoked all the same', async () => {
  answers.set(PLACES.whoami, { status: 200, body: { livemode: false }, meanwhile: tellToStop });
  const { exitCode, errors } = await pfq('smoke', ...addresses());
  assert.deepEqual([exitCode, errors], [130, 'pfq: stopped before the test was done.\n']);
  assert.ok(fake().state.keys.every(({ revokedAt }) => revokedAt !== undefined));
});
