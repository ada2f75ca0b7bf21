import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules');

/** Generates the TypeScript of every proto into `outDir`, which is emptied first. Throws with buf's own words. */
export async function generate(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  const template = {
    version: 'v2',
    plugins: [
      {
        local: [process.execPath, join(BIN, '@bufbuild/protoc-gen-es/bin/protoc-gen-es')],
        opt: ['target=ts', 'erasable_syntax=true', 'import_extension=ts'],
        out: outDir,
      },
    ],
  };
  const buf = [join(BIN, '@bufbuild/buf/bin/buf'), 'generate', '--template', JSON.stringify(template)];
  await promisify(execFile)(process.execPath, buf, { cwd: import.meta.dirname });
}
