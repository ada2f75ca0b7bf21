import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from '../generate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The committed protos' code is nothing but output: whatever else is in there is a leftover. */
const ONLY_GENERATED = 'proto/gen';

/** The files that generating again would add, change or remove. */
async function findDrift(): Promise<readonly string[]> {
  const fresh = mkdtempSync(path.join(tmpdir(), 'pfq-generated-'));
  try {
    await generate(fresh);
    const written = listFiles(fresh, '.');
    const leftovers = listFiles(ROOT, ONLY_GENERATED).filter((file) => !written.includes(file));
    const changed = written.filter((file) => readIfThere(ROOT, file) !== readIfThere(fresh, file));
    return [...changed, ...leftovers].sort();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Every file under a folder of `root`, named from `root`. */
function listFiles(root: string, folder: string): readonly string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
}

function readIfThere(root: string, file: string): string | null {
  const whole = path.join(root, file);
  return existsSync(whole) ? readFileSync(whole, 'utf8') : null;
}

const drift = await findDrift();
for (const file of drift) process.stdout.write(`${file} is not what it is generated from: run npm run generate\n`);
process.exitCode = drift.length === 0 ? 0 : 1;
