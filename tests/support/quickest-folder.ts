import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** What Linux keeps in memory; containers often have but a little of it. */
const IN_MEMORY = '/dev/shm';
/** Ten times what a run was seen to need. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Where to put what many files are made of and nobody needs afterwards: databases are made four times as fast in memory. */
export function quickestFolder(): string {
  if (!existsSync(IN_MEMORY) || process.availableMemory() < ENOUGH_BYTES) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ENOUGH_BYTES ? tmpdir() : IN_MEMORY;
}
