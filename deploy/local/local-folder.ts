import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from './problem.ts';
import { hasCode, identifyProcess } from './processes.ts';

/** Proves that a folder was made by this stack, so that it may be deleted. */
const MARKER = '.pfq-local-data';
const LOCK = 'running.json';

export type Secrets = {
  readonly operatorToken: string;
  readonly keyPepper: string;
  readonly answerSecret: string;
  readonly reviewSecret: string;
};

/** Where the stack keeps its data: PFQ_LOCAL_DIR, against the project's folder, else `.local` in it. */
export function chooseLocalFolder(environment: Readonly<Record<string, string | undefined>>, root: string): string {
  return path.resolve(root, environment['PFQ_LOCAL_DIR'] || '.local');
}

/** Makes the folder, or checks that it is ours and can be written. Throws a Problem otherwise. */
export function openLocalFolder(folder: string): void {
  orProblem(folder, () => {
    makeFolder(folder);
    const isOurs = existsSync(path.join(folder, MARKER));
    if (!isOurs && readdirSync(folder).length > 0) {
      throw new Problem(`${folder} holds something else: name a new or empty folder in PFQ_LOCAL_DIR.`);
    }
    writeFileSync(path.join(folder, MARKER), 'Made by `npm start`; `npm run reset` deletes this whole folder.\n');
    requireWritable(folder);
  });
}

/** Does something with the folder's files; what the file system refuses is told in one line. */
function orProblem<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem || !(error instanceof Error) || !('code' in error)) throw error;
    throw new Problem(
      `the data folder ${folder} cannot be written (${String(error.code)}): ` +
        'make it writable for this account, or name another in PFQ_LOCAL_DIR.',
      error,
    );
  }
}

function requireWritable(folder: string): void {
  for (const entry of ['.', ...readdirSync(folder)]) accessSync(path.join(folder, entry), constants.W_OK);
}

/** Level by level: Node's recursive way never returns where a folder such as /proc takes no new one. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

export type FolderLock = {
  /** Whether the last holder ended without releasing it, and so may have left processes behind. */
  readonly wasAbandoned: boolean;
  readonly release: () => void;
};

/** Claims the folder for this process. Throws a Problem while another living process holds it. */
export function lockLocalFolder(folder: string): FolderLock {
  const holder = orProblem(folder, () => findHolder(folder));
  if (holder !== null) {
    throw new Problem(`a stack is running on ${folder} already (process ${holder}): stop it, or set PFQ_LOCAL_DIR.`);
  }
  const file = path.join(folder, LOCK);
  const wasAbandoned = existsSync(file);
  const own = { pid: process.pid, birth: identifyProcess(process.pid)?.birth };
  orProblem(folder, () => writeWhole(file, own));
  return { wasAbandoned, release: () => rmSync(file, { force: true }) };
}

/** The pid of the living process that holds the folder; null where none does, as after a kill or a reboot. */
export function findHolder(folder: string): number | null {
  const lock = readJson(path.join(folder, LOCK));
  if (!isRecord(lock) || typeof lock['pid'] !== 'number') return null;
  return identifyProcess(lock['pid'])?.birth === lock['birth'] ? lock['pid'] : null;
}

/** Deletes the folder and everything in it. False where there is none; throws a Problem where it must not be deleted. */
export function removeLocalFolder(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return orProblem(folder, () => {
    const holder = findHolder(folder);
    if (holder !== null) throw new Problem(`a stack is running on ${folder} (process ${holder}): stop it first.`);
    if (!existsSync(path.join(folder, MARKER))) {
      throw new Problem(`${folder} was not made by \`npm start\`, so it is left alone.`);
    }
    requireWritable(folder);
    rmSync(folder, { recursive: true });
    return true;
  });
}

/** The secrets of this folder's stack, drawn once. */
export function readOrCreateSecrets(folder: string): Secrets {
  const file = path.join(folder, 'secrets.json');
  const drawn = () => randomBytes(32).toString('base64url');
  const kept = existsSync(file) ? readJson(file) : { operatorToken: drawn(), keyPepper: drawn() };
  if (isRecord(kept)) {
    // A folder of the first release has none for answers yet, one of the second none for reviews.
    const { operatorToken, keyPepper, answerSecret = drawn(), reviewSecret = drawn() } = kept;
    if (isText(operatorToken) && isText(keyPepper) && isText(answerSecret) && isText(reviewSecret)) {
      const secrets = { operatorToken, keyPepper, answerSecret, reviewSecret };
      if (Object.keys(secrets).some((name) => !(name in kept))) writeWhole(file, secrets);
      return secrets;
    }
  }
  throw new Problem(`${file} is damaged: run \`npm run reset\` and start again.`);
}

/** Writes JSON that only this account can read, whole or not at all. */
export function writeWhole(file: string, content: unknown): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Parsed JSON; null where there is no such file or no JSON in it. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
