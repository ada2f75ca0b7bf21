import { mkdtempSync, readFileSync, rmSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from '../proto/generate.ts';

const COMMITTED = path.resolve(import.meta.dirname, '../proto/gen');

/** The files that generating the protos again would add, change or remove. */
async function findDrift(): Promise<readonly string[]> {
  const fresh = mkdtempSync(path.join(tmpdir(), 'pfq-generated-'));
  try {
    await generate(fresh);
    const [now, then] = [readAll(fresh), readAll(COMMITTED)];
    return [...new Set([...now.keys(), ...then.keys()])].filter((file) => now.get(file) !== then.get(file)).sort();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function readAll(folder: string): ReadonlyMap<string, string> {
  const files = globSync('**/*.ts', { cwd: folder });
  return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

const drift = await findDrift();
for (const file of drift) process.stdout.write(`proto/gen/${file} is not what the protos say: run npm run generate\n`);
process.exitCode = drift.length === 0 ? 0 : 1;
