import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';

const SCRIPTS = path.resolve(import.meta.dirname, '../../deploy/backup');
const SERVICES = ['gateway', 'quote-store', 'pricing', 'notification', 'application'];
/** Stands for pg_dump: notes what it was told, in words and by its environment, and writes what it was asked to. */
const PG_DUMP = `#!/bin/sh
printf '%s\\n' "$*" "PGPASSWORD=\${PGPASSWORD:-}" >>"$NOTES"
for word in "$@"; do
  case $word in --file=*) echo copy >"\${word#--file=}" ;; esac
done
case " $* " in *"$FAILS_AT"*) exit 1 ;; esac
`;

type Variables = Readonly<Record<string, string>>;

/** Addresses of all services, as variables. */
const ALL: Variables = Object.fromEntries(
  SERVICES.map((service) => [variableOf(service), `postgres://u@db/${service}`]),
);
const { GATEWAY_DATABASE_URL: _, ...WITHOUT_GATEWAY } = ALL;

describe('back-up.sh and restore.sh', () => {
  let folder: string;
  const fileOf = (name: string) => path.join(folder, name);
  const copies = () => readdirSync(fileOf('copies')).sort();
  const notes = () => readFileSync(fileOf('notes'), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pfq-addresses-'));
    mkdirSync(fileOf('bin'));
    writeFileSync(fileOf('bin/pg_dump'), PG_DUMP);
    chmodSync(fileOf('bin/pg_dump'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function run(script: string, variables: Variables, services: readonly string[] = []): Promise<string> {
    const env = {
      PATH: `${fileOf('bin')}:${process.env['PATH']}`,
      NOTES: fileOf('notes'),
      FAILS_AT: 'nowhere',
      ...variables,
    };
    const { stdout } = await promisify(execFile)(path.join(SCRIPTS, script), [fileOf('copies'), ...services], { env });
    return stdout;
  }

  it('copy every database where none is named', async () => {
    await run('back-up.sh', ALL);
    assert.deepEqual(copies(), SERVICES.map((service) => `${service}.dump`).sort());
  });

  it('copy those that are named, in the order in which nothing names what is not in a later file', async () => {
    await run('back-up.sh', ALL, ['pricing', 'gateway']);
    assert.deepEqual(copies(), ['gateway.dump', 'pricing.dump']);
    assert.match(notes(), /gateway\.dump\.part[^]*pricing\.dump\.part/);
  });

  it('take an address from a file, as services do', async () => {
    writeFileSync(fileOf('url'), ' postgres://u@files/gateway\n');
    await run('back-up.sh', { ...WITHOUT_GATEWAY, GATEWAY_DATABASE_URL_FILE: fileOf('url') });
    assert.match(notes(), /--dbname=postgres:\/\/u@files\/gateway\n/);
  });

  for (const [what, variables, problem] of [
    ['no address', {}, /^GATEWAY_DATABASE_URL is not set$/m],
    ['an address without a word in it', { GATEWAY_DATABASE_URL: '' }, /^GATEWAY_DATABASE_URL is not set$/m],
    [
      'a file that is not there',
      { GATEWAY_DATABASE_URL_FILE: '/nonexistent' },
      /^GATEWAY_DATABASE_URL cannot be read from the file that GATEWAY_DATABASE_URL_FILE names: \/nonexistent$/m,
    ],
    [
      'a file that is empty',
      { GATEWAY_DATABASE_URL_FILE: '/dev/null' },
      /^GATEWAY_DATABASE_URL cannot be read from the file that GATEWAY_DATABASE_URL_FILE names, which is empty: \/dev\/null$/m,
    ],
    [
      'an address and a file',
      { GATEWAY_DATABASE_URL: 'postgres://db/gateway', GATEWAY_DATABASE_URL_FILE: '/dev/null' },
      /^GATEWAY_DATABASE_URL and GATEWAY_DATABASE_URL_FILE are both set: keep one$/m,
    ],
    [
      'what is no address',
      { GATEWAY_DATABASE_URL: 'host=db password=sesame' },
      /^GATEWAY_DATABASE_URL must be a URL such as postgres:/m,
    ],
    [
      'an address of MongoDB',
      { GATEWAY_DATABASE_URL: 'mongodb://u:sesame@db/x' },
      /^gateway is in MongoDB, which .* copy: name the services that are not$/m,
    ],
    ...['password', 'p%61ssword', 'sslmode=require&password', 'sslpassword', 'oauth_client_secret'].map(
      (parameter) =>
        [
          `a password behind the ?, as ${parameter}`,
          { GATEWAY_DATABASE_URL: `postgres://db/gateway?${parameter}=sesame` },
          /^GATEWAY_DATABASE_URL has a password behind the \?/m,
        ] as const,
    ),
    ...['se/same', 'se?same', 'se/s@me'].map(
      (password) =>
        [
          `a password that was not encoded, ${password}`,
          { GATEWAY_DATABASE_URL: `postgres://u:${password}@db/gateway` },
          /^GATEWAY_DATABASE_URL has an @ behind its host: /m,
        ] as const,
    ),
  ] as const) {
    for (const script of ['back-up.sh', 'restore.sh']) {
      it(`${script} refuses ${what}, by name, before anything is done, and shows no password`, async () => {
        const error = await run(script, { ...WITHOUT_GATEWAY, ...variables }).then(
          () => assert.fail('it was taken'),
          String,
        );
        assert.match(error, problem);
        assert.doesNotMatch(error, /sesame/);
        assert.deepEqual(['notes', 'copies'].map(fileOf).filter(existsSync), []);
      });
    }
  }

  it('refuse a service that there is not, and want a folder', async () => {
    await assert.rejects(run('back-up.sh', ALL, ['billing']), /there is no service billing/);
    await assert.rejects(run('restore.sh', ALL), /there is no file \S+\/copies\/pricing\.dump/);
    await assert.rejects(promisify(execFile)(path.join(SCRIPTS, 'back-up.sh')), /usage: back-up\.sh FOLDER/);
  });

  it('give a password by the environment, decoded, and not to the database after it', async () => {
    const [first, second] = [
      'postgres://u:p%40ss%3Aw%2Frd%20%2541@db/gateway?sslmode=require',
      'postgres://u@db/pricing',
    ];
    await run('back-up.sh', { GATEWAY_DATABASE_URL: first, PRICING_DATABASE_URL: second }, ['gateway', 'pricing']);
    const [words, password, otherWords, otherPassword] = notes().split('\n');
    assert.match(words ?? '', / --dbname=postgres:\/\/u@db\/gateway\?sslmode=require$/);
    assert.equal(password, 'PGPASSWORD=p@ss:w/rd %41');
    assert.match(otherWords ?? '', / --dbname=postgres:\/\/u@db\/pricing$/);
    assert.equal(otherPassword, 'PGPASSWORD=');
  });

  it('leave the files of the day before as they were where one database cannot be copied', async () => {
    await run('back-up.sh', ALL);
    for (const file of copies()) writeFileSync(fileOf(`copies/${file}`), 'of the day before');
    await assert.rejects(run('back-up.sh', { ...ALL, FAILS_AT: 'notification' }));
    for (const service of SERVICES)
      assert.equal(readFileSync(fileOf(`copies/${service}.dump`), 'utf8'), 'of the day before', service);
  });

  it('write files that nobody else can read', async () => {
    await run('back-up.sh', ALL);
    await promisify(execFile)('sh', ['-c', `test -z "$(find ${fileOf('copies')} -perm /077)"`]);
  });
});

function variableOf(service: string): string {
  return `${service.toUpperCase().replace('-', '_')}_DATABASE_URL`;
}
