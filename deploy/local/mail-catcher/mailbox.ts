import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@pfq/local/processes';

/** Caught mail, a file each. Ids sort by the time of their coming and are the names of the files. */
export type Mailbox = {
  /** Keeps a mail, and lets go of the oldest where there are too many. Resolves to its id once it is on disk. */
  add(raw: Uint8Array): Promise<string>;
  /** Ids, newest first. */
  list(): Promise<readonly string[]>;
  /** The mail as it came; null where there is none with this id. */
  read(id: string): Promise<Buffer | null>;
  /** Removes every mail. */
  clear(): Promise<void>;
};

const SUFFIX = '.eml';
const ID = /^\d{15}-[0-9a-f]{8}$/;
const MOST = 500;

/** Makes the folder where there is none. */
export async function openMailbox(folder: string, { most = MOST }: { most?: number } = {}): Promise<Mailbox> {
  await mkdir(folder, { recursive: true });
  let latest = 0;

  /** Milliseconds with a place for mails of the same one, so that no two ids are out of order. */
  const nextId = () => {
    latest = Math.max(latest + 1, Date.now() * 10);
    return `${String(latest).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
  };
  const fileOf = (id: string) => path.join(folder, `${id}${SUFFIX}`);
  const list = async () => {
    const names = await readdir(folder);
    const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    return ids
      .filter((id) => ID.test(id))
      .sort()
      .reverse();
  };
  const remove = (ids: readonly string[]) => Promise.all(ids.map((id) => rm(fileOf(id), { force: true })));

  return {
    list,
    async add(raw) {
      const id = nextId();
      const unfinished = path.join(folder, `${id}.unfinished`);
      await writeFile(unfinished, raw, { mode: 0o600 });
      await rename(unfinished, fileOf(id));
      await remove((await list()).slice(most));
      return id;
    },
    async read(id) {
      if (!ID.test(id)) return null;
      try {
        return await readFile(fileOf(id));
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async clear() {
      await remove(await list());
    },
  };
}

/** When the mail with this id came. */
export function arrivalOf(id: string): Date {
  return new Date(Math.floor(Number(id.slice(0, 15)) / 10));
}
