import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeAuthority } from '../../../tests/support/certificates.ts';
import { readConfig } from './config.ts';
import { serviceSettings } from './service-settings.ts';
import { doubtAbout, readCertificates, tlsFolder } from './tls-files.ts';

const authority = makeAuthority('ours');
const good = { ...authority.issue({ dns: ['quote-store'] }), ca: authority.cert };
/** The one that follows in the middle of its replacement. */
const next = makeAuthority('next').cert;
const settings = { tls: tlsFolder('RPC_TLS_DIR', { doc: 'Certificates.' }) };

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-tls-files-'));
after(() => rmSync(folder, { recursive: true }));

function put({ cert, key, ca }: { readonly cert: string; readonly key: string; readonly ca: string }): void {
  writeFileSync(path.join(folder, 'tls.crt'), cert);
  writeFileSync(path.join(folder, 'tls.key'), key);
  writeFileSync(path.join(folder, 'ca.crt'), ca);
}

const read = (given: string) => readConfig(settings, { RPC_TLS_DIR: given }).tls;

test('a folder with what is needed is taken, and none is needed', () => {
  put(good);
  assert.equal(read(folder), folder);
  assert.equal(read(''), null);
  assert.equal(readConfig(serviceSettings, { OPERATOR_TOKEN: 't'.repeat(32) }).rpcTlsDir, null);
});

const BOTH: Readonly<Record<string, string>> = {
  'one after the other': authority.cert + next,
  'with words around them': `# ours\n-----\n${authority.cert}\nissuer=next\n${next.trimEnd()}`,
  'with the line ends of Windows': (authority.cert + next).replaceAll('\n', '\r\n'),
};

for (const [how, ca] of Object.entries(BOTH)) {
  test(`two authorities are taken ${how}`, () => {
    put({ ...good, ca });
    assert.equal(read(folder), folder);
  });
}

const NOT_WHOLE = 'in which a file holds something other than whole certificates: *';
const UNREADABLE = 'in which certificate 2 of a file cannot be read: *';

const BAD: readonly (readonly [string, Partial<typeof good>, string])[] = [
  ['a certificate that is none', { cert: 'x' }, 'in which a file holds no certificate: */tls.crt'],
  ['an authority that is none', { ca: '' }, 'in which a file holds no certificate: */ca.crt'],
  ['an authority after another that is cut off', { ca: authority.cert + next.slice(0, 300) }, `${NOT_WHOLE}/ca.crt`],
  ['one whose first line is wrong', { ca: authority.cert + next.replace('-----', '----') }, `${NOT_WHOLE}/ca.crt`],
  ['one that is indented', { ca: authority.cert + next.replaceAll(/^/gm, '  ') }, `${NOT_WHOLE}/ca.crt`],
  ['one that begins on the last line of the first', { ca: authority.cert.trimEnd() + next }, `${NOT_WHOLE}/ca.crt`],
  ['one with a stray character', { ca: authority.cert + next.replace('M', '*') }, `${NOT_WHOLE}/ca.crt`],
  ['one that lacks a line', { ca: authority.cert + withoutLine(next, 3) }, `${UNREADABLE}/ca.crt`],
  ['one that lacks a character', { ca: authority.cert + next.slice(0, 200) + next.slice(201) }, `${UNREADABLE}/ca.crt`],
  ['a key among authorities', { ca: authority.cert + good.key }, `${NOT_WHOLE}/ca.crt`],
  ['a chain that is cut off', { cert: good.cert + next.slice(0, 300) }, `${NOT_WHOLE}/tls.crt`],
  ['a chain that lacks a line', { cert: good.cert + withoutLine(next, 3) }, `${UNREADABLE}/tls.crt`],
  ['a key that is none', { key: 'x' }, 'whose key cannot be used with its certificate: */tls.key'],
  [
    'the key of another certificate',
    { key: authority.issue({ dns: ['x'] }).key },
    'whose key cannot be used with its certificate: */tls.key',
  ],
];

for (const [what, changes, words] of BAD) {
  test(`${what} is refused with the name of its file, and nothing of what is in it`, () => {
    put({ ...good, ...changes });
    const message = `RPC_TLS_DIR names a folder ${words.replace('*', folder)}`;
    assert.throws(() => read(folder), { name: 'ConfigError', message });
  });
}

const ENDED = authority.issue({ dns: ['x'] }, Date.now() - 1_000);
const DOUBTS: readonly (readonly [string, Partial<typeof good>, RegExp | null])[] = [
  ['a good certificate', {}, null],
  ['one of the second authority', { ca: next + authority.cert }, null],
  ['one that has ended', ENDED, /^tls\.crt has ended, at 20/],
  ['one of an authority that ca.crt lacks', { ca: next }, /^tls\.crt is of no authority in ca\.crt/],
];

for (const [what, changes, words] of DOUBTS) {
  test(`${what} is taken, and ${words === null ? 'nothing is said' : 'it is said what others may find wrong'}`, () => {
    put({ ...good, ...changes });
    const doubt = doubtAbout(readCertificates(folder), Date.now());
    if (words === null) assert.equal(doubt, null);
    else assert.match(doubt ?? '', words);
  });
}

test('a certificate that is not good yet is doubted', () => {
  put(good);
  assert.match(doubtAbout(readCertificates(folder), Date.now() - 2 * 86_400_000) ?? '', /is good from 20.* not yet$/);
});

for (const name of ['tls.crt', 'tls.key', 'ca.crt']) {
  test(`a folder without ${name} is refused with its name`, () => {
    put(good);
    rmSync(path.join(folder, name));
    const message = `RPC_TLS_DIR names a folder in which a file cannot be read: ${folder}/${name} (ENOENT)`;
    assert.throws(() => read(folder), { name: 'ConfigError', message });
  });
}

function withoutLine(pem: string, at: number): string {
  return pem.split('\n').toSpliced(at, 1).join('\n');
}
