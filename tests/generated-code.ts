import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from '../generate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const GENERATED = ['proto/gen/**/*.ts', 'docs/settings.md', 'docs/pricing-settings.md'];

/** The files that generating again would add, change or remove. */
async function findDrift(): Promise<readonly string[]> {
  const fresh = mkdtempSync(path.join(tmpdir(), 'pfq-generated-'));
  try {
    await generate(fresh);
    const [now, then] = [readAll(fresh), readAll(ROOT)];
    return [...new Set([...now.keys(), ...then.keys()])].filter((file) => now.get(file) !== then.get(file)).sort();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function readAll(folder: string): ReadonlyMap<string, string> {
  const files = globSync(GENERATED, { cwd: folder });
  return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

const drift = await findDrift();
for (const file of drift) process.stdout.write(`${file} is not what it is generated from: run npm run generate\n`);
process.exitCode = drift.length === 0 ? 0 : 1;
