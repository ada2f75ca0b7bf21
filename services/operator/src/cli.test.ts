import { ServiceError } from '@pfq/kit/errors';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { runPfq, runPfqIn } from './testing/run-pfq.ts';
import { usePfq } from './testing/use-pfq.ts';

const AGENCY = 'agy_0000000000000000000001';
const NEW_KEY = ['--agency', AGENCY, '--mode', 'test', '--type', 'agency', '--broker', 'a@x.example', '--name', 'n'];

const { fake, folder, pfq } = usePfq();

test('every call says who is acting, and all calls of a run have one request id that no other run has', async () => {
  await pfq('agency', 'list');
  assert.deepEqual(fake().state.calls, [{ method: 'ListAgencies', actor: 'Ana' }]);
  await pfq('audit', 'list');
  const [first = '', ...second] = fake().state.requestIds;
  assert.match(first, /^req_[0-9A-Za-z]{22}$/);
  assert.equal(second.length, 4);
  assert.equal(new Set(second).size, 1);
  assert.ok(!second.includes(first));
});

test('a failed call is told with the id of its request, and what was never asked of a service without one', async () => {
  const { errors } = await pfq('rates', 'show');
  assert.equal(errors, `pfq: There is no such thing. (request ${fake().state.requestIds.at(-1)})\n`);
  assert.match(
    (await pfq('rates', 'load', 'nowhere')).errors,
    /^pfq: [^\n]*nowhere cannot be read: there is no such file\.\n$/,
  );
});

test('control characters of stored text never reach a terminal', async () => {
  await pfq('agency', 'create', '--name', 'a\u{1B}[31m\nb\u{202E}');
  assert.match((await pfq('agency', 'list')).output, / {2}a\u{FFFD}\[31m b\u{FFFD} {2}/u);
});

const MISUSES: readonly (readonly [string[], RegExp])[] = [
  [['agancy'], /unknown command 'agancy' \(Did you mean agency\?\)/],
  [['agency', 'lists'], /unknown command 'lists' \(Did you mean list\?\)/],
  [['agency', 'create'], /'--name <name>' not specified/],
  [['agency', 'list', '--jso'], /unknown option '--jso' \(Did you mean --json\?\)/],
  [['agency', 'list', 'x'], /too many arguments/],
  [['agency', 'switch', AGENCY], /say --live on\|off, --test on\|off or both/],
  [['agency', 'switch', AGENCY, '--live', 'yes'], /'yes' is invalid\. Say on or off\./],
  [['key', 'create', ...NEW_KEY, '--mode', 'prod'], /'prod' is invalid\. Allowed choices are live, test\./],
  [['key', 'create', ...NEW_KEY, '--type', 'user'], /'user' is invalid\. Allowed choices are agency, broker\./],
  [['decline', 'add', 'state', 'TX'], /'state' is invalid .*Allowed choices are issuer, coverage\./],
  [['rates', 'load'], /missing required argument 'file'/],
  [['applications', 'import'], /missing required argument 'file'/],
  [['mail', 'list', '--limit', '0'], /'0' is invalid\. Say a whole number from 1 to 1000\./],
  [['mail', 'list', '--limit', '1001'], /'1001' is invalid\. Say a whole number from 1 to 1000\./],
  [['mail', 'list', '--limit', '1e2'], /'1e2' is invalid\. Say a whole number from 1 to 1000\./],
  [['audit', 'list', '--since', 'yesterday'], /'yesterday' is invalid\. Say a UTC day such as 2026-11-20 or a time/],
  [['audit', 'list', '--since', '2026-02-30'], /'2026-02-30' is invalid\. Say a UTC day/],
  [['audit', 'list', '--since', '2026-11-20T25:00Z'], /is invalid\. Say a UTC day/],
  [['audit', 'list', '--since', '2026-11-20T09:30:00'], /is invalid\. Say a UTC day/],
  [['audit', 'list', '--limit', '1001'], /'1001' is invalid\. Say a whole number from 1 to 1000\./],
  [['audit', 'list', '--agency', 'nope'], /'nope' is invalid\. Say the id of an agency such as agy_/],
  [
    ['key', 'create', ...NEW_KEY, '--scopes', 'quotes:read', '--expires', '2026-02-30'],
    /'2026-02-30' is invalid\. Say a day/,
  ],
  [
    ['key', 'create', ...NEW_KEY, '--scopes', 'quotes:read', '--expires', '2001-01-01'],
    /is invalid\. That day is over/,
  ],
  [['carriers', 'find', ' '], /say a part of the name, NAIC code or AM Best number$/],
  [['audit', 'list', '--agency', AGENCY, '--target', 'x'], /'--agency <id>' cannot be used with option '--target/],
  [['audit', 'list', '--service', 'mail'], /'mail' is invalid\. Allowed choices are gateway, pricing, application/],
  [['counters', 'reset'], /'--key <id>' not specified/],
  [['request', 'show'], /missing required argument 'id'/],
  [['mail', 'retry'], /missing required argument 'id'/],
  [['smoke', '--hosted', 'http://x.example'], /'--api <url>' not specified/],
  [['smoke', '--api', 'x.example', '--hosted', 'http://x.example'], /'x\.example' is invalid\. Say a web address/],
];

for (const [args, line] of MISUSES) {
  test(`exit 2 and one line, before anything is sent: pfq ${args.join(' ')}`, async () => {
    const { exitCode, output, errors } = await pfq(...args);
    assert.deepEqual({ exitCode, output, calls: fake().state.calls }, { exitCode: 2, output: '', calls: [] });
    assertOneLine(errors, line);
  });
}

const REFUSALS: readonly (readonly [string, ServiceError, RegExp])[] = [
  [
    'a plain refusal',
    new ServiceError('NOT_FOUND', { message: 'No agency has this id.' }),
    /No agency has this id\. \(request req_\w+\)$/,
  ],
  [
    'every problem of a validation, with its field where the sentence lacks it',
    new ServiceError('VALIDATION_FAILED', {
      message: 'name must not be blank.',
      details: [
        { code: 'INVALID_VALUE', param: 'name', message: 'name must not be blank.' },
        { code: 'INVALID_FORMAT', param: 'email', message: 'No address.' },
      ],
    }),
    /name must not be blank\. email: No address\. \(request req_\w+\)$/,
  ],
  [
    'the first five of many problems',
    new ServiceError('VALIDATION_FAILED', {
      message: 'p0',
      details: Array.from({ length: 7 }, (_, index) => ({ code: 'INVALID_VALUE', message: `p${index}` })),
    }),
    /p0 p1 p2 p3 p4 \(and 2 more\) \(request req_\w+\)$/,
  ],
  [
    'a message with line breaks',
    new ServiceError('INTERNAL', { message: 'one\ntwo\u{1B}' }),
    /one two\u{FFFD} \(request req_\w+\)$/u,
  ],
];

for (const [what, refusal, line] of REFUSALS) {
  test(`exit 1 and one line for ${what}`, async () => {
    fake().state.refusal = refusal;
    const { exitCode, output, errors } = await pfq('agency', 'list');
    assert.deepEqual({ exitCode, output }, { exitCode: 1, output: '' });
    assertOneLine(errors, line);
  });
}

const BAD_FILES: readonly (readonly [string, string[], string | Uint8Array, RegExp])[] = [
  [
    'rates that are not JSON',
    ['rates', 'load'],
    '{\n"rates": {\n}',
    /file is not valid JSON at line 3, column 2: "," or "}" was/,
  ],
  [
    'settings that are not JSON',
    ['settings', 'set'],
    '{\n"a": 1,\n"a": 2\n}',
    /file is .* line 3, column 1: the member "a" appears twice/,
  ],
  [
    'a bad carrier line',
    ['carriers', 'load'],
    'name,naic_code,am_best_id,rating\nA,1,,\n',
    /file line 2: naic_code "1"/,
  ],
  ['text that is not UTF-8', ['rates', 'load'], Uint8Array.of(0xff, 0xfe), /file is not UTF-8 text/],
  ['a file over 8 MB', ['rates', 'load'], new Uint8Array(8 * 1024 * 1024 + 1), /file is larger than 8 MB/],
];

for (const [what, args, content, line] of BAD_FILES) {
  test(`nothing is sent of ${what}`, async () => {
    await writeFile(path.join(folder(), 'file'), content);
    const { exitCode, errors } = await pfq(...args, 'file');
    assert.deepEqual({ exitCode, calls: fake().state.calls }, { exitCode: 1, calls: [] });
    assertOneLine(errors, line);
  });
}

test('a missing file and a folder are told apart', async () => {
  assertOneLine((await pfq('rates', 'load', 'nowhere.json')).errors, /nowhere\.json cannot be read: there is no such/);
  assertOneLine((await pfq('rates', 'load', '.')).errors, /cannot be read: it is a folder\./);
});

test('a wrong token is refused and the variable named', async () => {
  const { errors } = await runPfq(
    { ...fake().connection, token: 'guess' },
    { args: ['agency', 'list'], folder: folder() },
  );
  assertOneLine(errors, /operator token is missing or wrong\. Set PFQ_OPERATOR_TOKEN\./);
  assert.deepEqual(fake().state.calls, []);
});

test('a service that is not there is named with its address', async () => {
  await fake().stop();
  const { exitCode, errors } = await pfq('rates', 'show');
  assert.equal(exitCode, 1);
  assertOneLine(errors, /pricing cannot be reached at grpc:\/\/127\.0\.0\.1:\d+: is it running\?/);
});

test('without a stack and without addresses the line says how to get either', async () => {
  const { exitCode, errors } = await runPfqIn({ args: ['agency', 'list'], folder: folder(), environment: {} });
  assert.equal(exitCode, 1);
  assertOneLine(errors, /no local stack was found here: run `npm start`, or set PFQ_OPERATOR_GATEWAY_URL/);
});

test('the help of every command shows an example of itself', async () => {
  const nouns = commandsIn((await pfq('--help')).output);
  assert.deepEqual(nouns, [
    'agency',
    'broker',
    'key',
    'counters',
    'rates',
    'settings',
    'carriers',
    'decline',
    'applications',
    'quote',
    'mail',
    'request',
    'audit',
    'smoke',
  ]);
  for (const noun of nouns) {
    const verbs = commandsIn((await pfq(noun, '--help')).output);
    assert.notEqual(verbs.length, 0);
    for (const verb of verbs) {
      const { exitCode, output } = await pfq(noun, verb, '--help');
      assert.equal(exitCode, 0);
      assert.ok(output.includes(`\nExample:\n  pfq ${noun} ${verb}`), `${noun} ${verb}`);
    }
  }
});

function commandsIn(help: string): string[] {
  const listed = help.slice(help.indexOf('Commands:')).split('\n\n')[0] ?? '';
  return [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
}

function assertOneLine(errors: string, line: RegExp): void {
  assert.match(errors, /^pfq: [^\n]+\n$/);
  assert.match(errors.trimEnd(), line);
}
