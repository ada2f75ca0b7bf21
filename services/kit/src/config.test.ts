import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, flag, oneOf, port, readConfig, secret, text, url, wholeNumber } from './config.ts';
import type { Environment } from './config.ts';
import { databaseSettings, serviceSettings } from './service-settings.ts';

const settings = {
  name: text('NAME', { doc: 'What it is called.' }),
  color: oneOf('COLOR', { doc: 'Color.', choices: ['red', 'blue'], fallback: 'red' }),
  debug: flag('DEBUG', { doc: 'Says more.', fallback: 'false' }),
  count: wholeNumber('COUNT', { doc: 'How many.', min: 1, max: 10, fallback: '3' }),
  port: port('PORT', { doc: 'Port.', fallback: '8080' }),
  store: url('STORE_URL', { doc: 'Where quotes are.', schemes: ['postgres', 'mongodb'] }),
  token: secret('TOKEN', { doc: 'Credential.', minLength: 8 }),
};
const valid = { NAME: 'pfq', STORE_URL: 'postgres://u:hunter2@h/db', TOKEN: 'correct horse' };

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-config-'));
after(() => rmSync(folder, { recursive: true }));

test('settings that are not given take their documented defaults', () => {
  assert.deepEqual(readConfig(settings, valid), {
    name: 'pfq',
    color: 'red',
    debug: false,
    count: 3,
    port: 8080,
    store: 'postgres://u:hunter2@h/db',
    token: 'correct horse',
  });
});

test('every setting is read', () => {
  const given = { NAME: 'x', COLOR: 'blue', DEBUG: 'true', COUNT: '10', PORT: '0', STORE_URL: 'mongodb://h/d/' };
  const { name, color, debug, count, port: listen, store } = readConfig(settings, { ...valid, ...given });
  assert.deepEqual([name, color, debug, count, listen, store], ['x', 'blue', true, 10, 0, 'mongodb://h/d']);
});

test('every problem is reported at once, each naming its variable and what to do', () => {
  const wrong = { COLOR: 'green', DEBUG: 'yes', COUNT: '11', PORT: '65536', STORE_URL: 'mysql://h/db', TOKEN: 'short' };
  assert.deepEqual(problemsOf(wrong), [
    'NAME is not set: What it is called.',
    'COLOR must be one of red, blue, not "green"',
    'DEBUG must be one of true, false, not "yes"',
    'COUNT must be a whole number from 1 to 10, not "11"',
    'PORT must be a whole number from 0 to 65535, not "65536"',
    'STORE_URL must be a URL such as postgres://… or mongodb://…',
    'TOKEN must have at least 8 characters',
  ]);
});

for (const given of ['postgres://', 'postgres://h', 'postgres://h/', 'postgres:///db', 'postgres://?host=h']) {
  test(`"${given}" does not say which database is meant`, () => {
    const problem = 'DATABASE_URL must name a host and a database, as in postgres://user:password@host:5432/database';
    const { databaseUrl } = databaseSettings;
    assert.throws(() => readConfig({ databaseUrl }, { DATABASE_URL: given }), new ConfigError([problem]));
  });
}

test('an empty variable counts as not set', () => {
  assert.deepEqual(problemsOf({ ...valid, NAME: '' }), ['NAME is not set: What it is called.']);
  assert.equal(readConfig(settings, { ...valid, COUNT: '', TOKEN_FILE: '' }).count, 3);
});

for (const given of ['1.5', '-1', '1e1', '0x1', ' 5', '٣', '99999999999999999999']) {
  test(`"${given}" is no whole number from 1 to 10`, () => {
    assert.equal(problemsOf({ ...valid, COUNT: given }).length, 1);
  });
}

test('a secret can come from a file, whose last line feed is not part of it', () => {
  const { store, token } = readConfig(settings, {
    NAME: 'pfq',
    STORE_URL_FILE: fileWith('postgres://u:p@h/db\n'),
    TOKEN_FILE: fileWith('from a file\r\n'),
  });
  assert.deepEqual([store, token], ['postgres://u:p@h/db', 'from a file']);
});

test('a secret that is given twice, or by a file that is missing or empty, is a problem', () => {
  const { NAME, STORE_URL } = valid;
  const missing = path.join(folder, 'missing');
  const empty = fileWith('\n');
  assert.deepEqual(problemsOf({ ...valid, TOKEN_FILE: fileWith('from a file') }), [
    'TOKEN and TOKEN_FILE are both set: keep one',
  ]);
  assert.deepEqual(problemsOf({ NAME, STORE_URL, TOKEN_FILE: missing }), [
    `TOKEN cannot be read from the file that TOKEN_FILE names: ${missing}`,
  ]);
  assert.deepEqual(problemsOf({ NAME, STORE_URL, TOKEN_FILE: empty }), [
    `TOKEN cannot be read from the file that TOKEN_FILE names, which is empty: ${empty}`,
  ]);
});

test('what is no secret is not read from a file', () => {
  assert.deepEqual(problemsOf({ ...valid, NAME: undefined, NAME_FILE: fileWith('x') }), [
    'NAME is not set: What it is called.',
  ]);
});

test('no message ever shows a secret', () => {
  for (const STORE_URL of ['mysql://user:hunter2@host/db', 'hunter2', 'postgres//user:hunter2@host', 'hunter2://x']) {
    for (const TOKEN of ['hunter2', undefined]) {
      const problems = problemsOf({ NAME: 'pfq', STORE_URL, TOKEN });
      assert.equal(problems.length, 2);
      assert.doesNotMatch(problems.join(), /hunter2/);
    }
  }
});

test('a service starts with an operator token alone, one with a database needs that too', () => {
  const OPERATOR_TOKEN = 't'.repeat(32);
  assert.equal(readConfig(serviceSettings, { OPERATOR_TOKEN }).rpcPort, 9090);
  const both = { ...serviceSettings, ...databaseSettings };
  const config = readConfig(both, { OPERATOR_TOKEN, DATABASE_URL: 'postgresql://h/db' });
  assert.equal(config.migrateOnStart, false);
  assert.throws(() => readConfig(both, {}), /^ConfigError: OPERATOR_TOKEN is not set.*\nDATABASE_URL is not set/);
});

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(settings, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.message, error.problems.join('\n'));
    return error.problems;
  }
  return [];
}

let files = 0;
function fileWith(content: string): string {
  files += 1;
  const file = path.join(folder, String(files));
  writeFileSync(file, content);
  return file;
}
