import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findTool } from './tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-tools-'));
after(() => rmSync(folder, { recursive: true }));
const place = (...names: readonly string[]) => path.join(folder, ...names);
for (const name of ['good', 'other', 'with-folder/shouter', 'empty']) mkdirSync(place(name), { recursive: true });
writeProgram('good', 'shouter');
writeProgram('other', 'louder');
writeFileSync(place('empty', 'shouter'), 'not a program');

function writeProgram(inside: string, name: string): void {
  writeFileSync(place(inside, name), `#!/bin/sh\necho ${inside}/${name} $1\ncat\n`);
  chmodSync(place(inside, name), 0o755);
}

const FOUND: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['in a folder of the PATH', { PATH: place('good') }, 'good/shouter'],
  ['behind a folder of its name', { PATH: `${place('with-folder')}:${place('good')}` }, 'good/shouter'],
  ['behind a file that cannot be run', { PATH: `${place('empty')}:${place('good')}` }, 'good/shouter'],
  ['where its variable names it', { PATH: place('good'), SHOUTER: place('other', 'louder') }, 'other/louder'],
];

for (const [where, environment, found] of FOUND) {
  test(`a tool is found ${where}`, async () => {
    const tool = findTool('shouter', { ...environment, PATH: `${environment['PATH']}:/usr/bin:/bin` });
    assert.equal(tool.missing, false);
    assert.equal(await tool.run(['loud'], 'input\n'), `${found} loud\ninput\n`);
  });
}

const MISSING: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['without a PATH', {}],
  ['with a folder of its name alone', { PATH: place('with-folder') }],
  ['where its variable names a folder', { PATH: place('good'), SHOUTER: place('with-folder', 'shouter') }],
];

for (const [how, environment] of MISSING) {
  test(`a tool is missing ${how}, and its suites are told which variable may name it`, () => {
    assert.equal(findTool('shouter', environment).missing, 'there is no shouter, nor does SHOUTER name one');
  });
}

test('the working folder is no place for a tool, though the PATH has an empty entry', () => {
  const own = path.relative('.', place('good', 'shouter'));
  assert.notEqual(findTool(own, { PATH: ':' }).missing, false);
});
