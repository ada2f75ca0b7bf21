import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from '../generate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** The files that generating again would add, change or remove. */
async function findDrift(): Promise<readonly string[]> {
  const fresh = mkdtempSync(path.join(tmpdir(), 'pfq-generated-'));
  try {
    await generate({ protoDir: path.join(fresh, 'proto/gen'), settingsFile: path.join(fresh, 'settings.md') });
    const now = new Map([...readAll(fresh, 'proto/gen/**/*.ts'), ['docs/settings.md', read(fresh, 'settings.md')]]);
    const then = new Map([...readAll(ROOT, 'proto/gen/**/*.ts'), ['docs/settings.md', read(ROOT, 'docs/settings.md')]]);
    return [...new Set([...now.keys(), ...then.keys()])].filter((file) => now.get(file) !== then.get(file)).sort();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function readAll(folder: string, pattern: string): readonly (readonly [string, string])[] {
  return globSync(pattern, { cwd: folder }).map((file) => [file, read(folder, file)]);
}

function read(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

const drift = await findDrift();
for (const file of drift) process.stdout.write(`${file} is not what it is generated from: run npm run generate\n`);
process.exitCode = drift.length === 0 ? 0 : 1;
