import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCopy } from './copy.ts';

const FILE = '/copies/application.gz';

async function run(args: readonly string[], env: Readonly<Record<string, string>>, failure?: Error) {
  const copied: (readonly string[])[] = [];
  let [said, complained] = ['', ''];
  const code = await runCopy(
    {
      argv: ['node', 'back-up.ts', ...args],
      env,
      stdout: { write: (text) => (said += text) },
      stderr: { write: (text) => (complained += text) },
    },
    {
      done: 'written',
      async copy(url, file) {
        copied.push([url, file]);
        if (failure) throw failure;
        return 3;
      },
    },
  );
  return { code, said, complained, copied };
}

const MONGO = 'mongodb://mongo:27017/application';

test('a copy is made of the database that the service has, and tells how much there was', async () => {
  const { code, said, copied } = await run([FILE], { DATABASE_URL: MONGO });
  assert.deepEqual([code, said, copied], [0, '3 documents written\n', [[MONGO, FILE]]]);
});

for (const [what, args, env, expected] of [
  ['no file', [], { DATABASE_URL: MONGO }, [64, 'usage: back-up.ts FILE\n']],
  ['two files', [FILE, FILE], { DATABASE_URL: MONGO }, [64, 'usage: back-up.ts FILE\n']],
  [
    'PostgreSQL',
    [FILE],
    { DATABASE_URL: 'postgres://db/x' },
    [78, 'config: DATABASE_URL is not one of MongoDB: use pg_dump\n'],
  ],
] as const) {
  test(`${what} is refused before anything is read or written`, async () => {
    const { code, complained, copied } = await run(args, env);
    assert.deepEqual([code, complained, copied], [...expected, []]);
  });
}

test('an address that is missing is named', async () => {
  const { code, complained } = await run([FILE], {});
  assert.equal(code, 78);
  assert.match(complained, /^config: DATABASE_URL is not set: /);
});

test('a copy that fails says why in one line and ends with 1', async () => {
  const { code, complained } = await run([FILE], { DATABASE_URL: MONGO }, new Error('the disk is full'));
  assert.deepEqual([code, complained], [1, 'the disk is full\n']);
});
