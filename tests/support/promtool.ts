import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const FOUND = findPromtool(process.env);

/** Why suites that need promtool are skipped; false where there is one. */
export const WITHOUT_PROMTOOL = FOUND === null && 'there is no promtool, nor does PROMTOOL name one';

/** Runs promtool and gives what it printed. Rejects with that where it finds fault. */
export async function promtool(...args: readonly string[]): Promise<string> {
  if (FOUND === null) throw new Error('there is no promtool: skip what needs it where WITHOUT_PROMTOOL says so');
  const { stdout, stderr } = await promisify(execFile)(FOUND, [...args], { maxBuffer: 2 ** 24 });
  return stdout + stderr;
}

function findPromtool({ PROMTOOL: named, PATH = '' }: Readonly<Record<string, string | undefined>>): string | null {
  if (named) return canRun(named) ? named : null;
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, 'promtool')).find(canRun) ?? null;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
