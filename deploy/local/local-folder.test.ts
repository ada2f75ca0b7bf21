import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  assert.notEqual(secrets.operatorToken, secrets.keyPepper);
  assert.equal(statSync(path.join(folder, 'secrets.json')).mode & 0o777, 0o600);
});

test('damaged secrets are said so, and never drawn anew under old data', () => {
  openLocalFolder(folder);
  writeFileSync(path.join(folder, 'secrets.json'), '{');
  assert.throws(() => readOrCreateSecrets(folder), /is damaged: run `npm run reset`/);
});
