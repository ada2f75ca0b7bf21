import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

/** Well under what a service takes in one message; a directory of every American insurer is under 1 MB. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this account may not read it'],
]);

/** The text of a UTF-8 file, without byte order mark. Throws a CommandFailure that names the file. */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new CommandFailure(`${file} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandFailure(`${file} is not UTF-8 text: save it as UTF-8.`, error);
  }
}

/** Opens a file that may be too large to be read at once, and must be closed. Throws a CommandFailure that names it. */
export async function openFile(file: string): Promise<FileHandle> {
  // Opening a pipe would wait for whoever writes into it.
  const kind = await stat(file).catch((error: unknown) => refuse(file, error));
  if (kind.isFile()) return open(file).catch((error: unknown) => refuse(file, error));
  throw new CommandFailure(
    `${file} cannot be read: ${kind.isDirectory() ? REASONS.get('EISDIR') : 'it must be a file, which can be read twice'}.`,
  );
}

async function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => refuse(file, error));
}

function refuse(file: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  throw new CommandFailure(`${file} cannot be read: ${REASONS.get(code) ?? code}.`, error);
}
