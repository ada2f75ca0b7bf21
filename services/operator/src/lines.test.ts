import fc from 'fast-check';
import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { MAX_LINE_BYTES, readLines } from './lines.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pfq-lines-'));
});
after(() => rm(folder, { recursive: true }));

async function linesOf(content: string | Uint8Array): Promise<(string | null)[]> {
  const name = path.join(folder, 'file');
  await writeFile(name, content);
  const file = await open(name);
  const lines: (string | null)[] = [];
  try {
    for await (const { number, bytes } of readLines(file)) {
      assert.equal(number, lines.length + 1);
      lines.push(bytes?.toString() ?? null);
    }
    return lines;
  } finally {
    await file.close();
  }
}

test('lines are what line feeds part, in order, each with its number, and a file ends with a line', async () => {
  const texts = fc.array(fc.stringMatching(/^[a-zé\r ]*$/u), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(texts, async (lines) => assert.deepEqual(await linesOf(lines.join('\n')), lines)),
    { numRuns: 50 },
  );
});

test('lines longer than what is read at once stay whole', async () => {
  const lines = ['a'.repeat(300_000), '', 'b'.repeat(600_000), 'c'];
  assert.deepEqual(await linesOf(lines.join('\n')), lines);
});

test('a byte order mark is passed over at the beginning of the file, and nowhere else', async () => {
  assert.deepEqual(await linesOf('\u{FEFF}a\n\u{FEFF}b'), ['a', '\u{FEFF}b']);
});

test('a line over the limit is told as such and not kept, and the next one is read', async () => {
  const most = 'x'.repeat(MAX_LINE_BYTES);
  assert.deepEqual(await linesOf(`${most}\n${most}y\nz`), [most, null, 'z']);
});
