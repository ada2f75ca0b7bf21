import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  chooseLocalFolder,
  findHolder,
  lockLocalFolder,
  openLocalFolder,
  readOrCreateSecrets,
  removeLocalFolder,
} from './local-folder.ts';

const NOBODY = 65_534;
const base = mkdtempSync(path.join(tmpdir(), 'pfq-folder-'));
const folder = path.join(base, 'data');
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
after(() => rmSync(base, { recursive: true }));

test('the data is in .local of the project, or where PFQ_LOCAL_DIR says', () => {
  assert.equal(chooseLocalFolder({}, '/project'), '/project/.local');
  assert.equal(chooseLocalFolder({ PFQ_LOCAL_DIR: '.local-two' }, '/project'), '/project/.local-two');
  assert.equal(chooseLocalFolder({ PFQ_LOCAL_DIR: '/data' }, '/project'), '/data');
});

test('a folder that cannot be written is named in one line, with the way out', () => {
  const file = path.join(base, 'a-file');
  writeFileSync(file, '');
  assert.throws(() => openLocalFolder(path.join(file, 'data')), {
    name: 'Problem',
    message: /^the data folder .*a-file\/data cannot be written \(ENOTDIR\): make it writable .* PFQ_LOCAL_DIR\.$/,
  });
});

test('a place that takes no new folder is named too, and does not hold the start up', () => {
  assert.throws(
    () => openLocalFolder('/proc/pfq-data'),
    /^Problem: the data folder \/proc\/pfq-data cannot be written/,
  );
});

test('a folder of ours that takes no new file is named by start and by reset, and keeps all it holds', () => {
  mkdirSync(folder);
  const [start, reset, ...more] = refusalsOfReadOnly(folder);
  assert.match(start ?? '', /^Problem: the data folder \. cannot be written \(EACCES\): .* PFQ_LOCAL_DIR\.$/);
  assert.deepEqual([reset, more], [start, []]);
  assert.ok(existsSync(path.join(folder, 'postgres')));
});

test("a folder with someone else's files is neither used nor removed", () => {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'thesis.txt'), '');
  assert.throws(() => openLocalFolder(folder), /holds something else/);
  assert.throws(() => removeLocalFolder(folder), /was not made by `npm start`, so it is left alone/);
  assert.ok(existsSync(path.join(folder, 'thesis.txt')));
});

test('a folder of ours is used again, and removed whole', () => {
  openLocalFolder(folder);
  openLocalFolder(folder);
  assert.equal(removeLocalFolder(folder), true);
  assert.ok(!existsSync(folder));
  assert.equal(removeLocalFolder(folder), false);
});

test('while one stack holds the folder, a second is refused and nothing is removed', () => {
  openLocalFolder(folder);
  const lock = lockLocalFolder(folder);
  assert.throws(() => lockLocalFolder(folder), /a stack is running on .* already \(process \d+\)/);
  assert.throws(() => removeLocalFolder(folder), /stop it first/);
  lock.release();
  assert.equal(lockLocalFolder(folder).wasAbandoned, false);
});

test('a holder that was killed holds nothing, though another process has its pid now', () => {
  openLocalFolder(folder);
  writeFileSync(path.join(folder, 'running.json'), JSON.stringify({ pid: process.pid, birth: 'long ago' }));
  assert.equal(findHolder(folder), null);
  assert.equal(lockLocalFolder(folder).wasAbandoned, true);
});

test('secrets are drawn once, kept, and readable to this account alone', () => {
  openLocalFolder(folder);
  const secrets = readOrCreateSecrets(folder);
  assert.deepEqual(readOrCreateSecrets(folder), secrets);
  assert.equal(new Set(Object.values(secrets)).size, 4, 'each is another');
  assert.equal(statSync(path.join(folder, 'secrets.json')).mode & 0o777, 0o600);
});

const FIRST_RELEASE = { operatorToken: 'o'.repeat(43), keyPepper: 'k'.repeat(43) };
const SECOND_RELEASE = { ...FIRST_RELEASE, answerSecret: 'a'.repeat(43) };
for (const [release, earlier] of Object.entries({ first: FIRST_RELEASE, second: SECOND_RELEASE })) {
  test(`a secret that the ${release} release did not have is drawn, and the others stay`, () => {
    openLocalFolder(folder);
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify(earlier));
    const secrets = readOrCreateSecrets(folder);
    assert.deepEqual({ ...secrets, ...earlier }, secrets);
    assert.ok(Object.values(secrets).every((secret) => secret.length >= 32));
    assert.deepEqual(readOrCreateSecrets(folder), secrets);
  });
}

test('damaged secrets are said so, and never drawn anew under old data', () => {
  openLocalFolder(folder);
  for (const damaged of ['{', '{}', '[]', '{"operatorToken":"o","keyPepper":"k","answerSecret":null}']) {
    writeFileSync(path.join(folder, 'secrets.json'), damaged);
    assert.throws(() => readOrCreateSecrets(folder), /is damaged: run `npm run reset`/);
  }
});

/**
 * What start and reset say of a folder that the account itself made and then write-protected. Permissions mean nothing
 * to root, whose child becomes another account once it has reached the folder and the code.
 */
function refusalsOfReadOnly(data: string): readonly string[] {
  if (process.getuid?.() === 0) chownSync(data, NOBODY, NOBODY);
  const program = `
    import { chmodSync, mkdirSync } from 'node:fs';
    import { openLocalFolder, removeLocalFolder } from ${JSON.stringify(path.join(import.meta.dirname, 'local-folder.ts'))};
    process.chdir(process.argv[1]);
    if (process.getuid() === 0) process.setuid(${NOBODY});
    openLocalFolder('.');
    mkdirSync('postgres');
    chmodSync('.', 0o500);
    for (const act of [openLocalFolder, removeLocalFolder]) {
      try {
        act('.');
        console.log('done');
      } catch (error) {
        console.log(String(error));
      }
    }`;
  const args = ['--input-type=module', '-e', program, data];
  const said = execFileSync(process.execPath, args, { encoding: 'utf8' });
  chmodSync(data, 0o700);
  return said.trimEnd().split('\n');
}
