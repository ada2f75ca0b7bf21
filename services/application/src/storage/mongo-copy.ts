import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { withMongo } from '@pfq/kit/mongo';
import { BSON } from 'mongodb';
import type { Db, Document } from 'mongodb';
import { COLLECTION, createApplicationIndexes } from './mongo.ts';

/** One line of a copy, in canonical Extended JSON, which keeps every type where types are kept in reading. */
type Entry = { readonly collection: string; readonly document: Document };

/** The last line, by which a copy is known to be whole. */
type End = { readonly documents: number };

const BATCH = 500;
const CANONICAL = { relaxed: false } as const;

/**
 * Writes every document of a database to a file, a line each, compressed. A document is as it was when it was read; what is
 * written meanwhile may be missing. Gives their number. The file has its name once it is whole. Throws where the database is
 * not one of applications, as one whose name is misspelt.
 */
export function writeCopy(url: string, file: string): Promise<number> {
  return withMongo(url, async (db) => {
    const names = await namesOf(db);
    if (!names.includes(COLLECTION)) throw new Error(`the database ${db.databaseName} has no collection ${COLLECTION}`);
    let count = 0;
    async function* lines(): AsyncGenerator<string> {
      for (const collection of names) {
        for await (const document of db.collection(collection).find({}, { promoteValues: false })) {
          count += 1;
          yield `${BSON.EJSON.stringify({ collection, document } satisfies Entry, CANONICAL)}\n`;
        }
      }
      yield `${JSON.stringify({ documents: count } satisfies End)}\n`;
    }
    const unfinished = `${file}.part`;
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
    return count;
  });
}

/**
 * Fills an empty database from such a file and makes its indexes. Gives the number of documents. Throws where the database is not
 * empty, or the file not whole, before anything is written.
 */
export function restoreCopy(url: string, file: string): Promise<number> {
  return withMongo(url, async (db) => {
    await requireEmpty(db);
    await requireWhole(file);
    await createApplicationIndexes(db);
    let count = 0;
    const insert = async (chunks: AsyncIterable<Buffer>) => {
      for await (const [collection, documents] of batchesOf(linesOf(chunks))) {
        await db.collection(collection).insertMany(documents);
        count += documents.length;
      }
    };
    await pipeline(createReadStream(file), createGunzip(), insert);
    return count;
  });
}

async function requireWhole(file: string): Promise<void> {
  let lines = 0;
  let last = '';
  const count = async (chunks: AsyncIterable<Buffer>) => {
    for await (last of linesOf(chunks)) lines += 1;
  };
  await pipeline(createReadStream(file), createGunzip(), count);
  const { documents }: Partial<End> = JSON.parse(last || '{}');
  if (documents === undefined) throw new Error(`the file is cut off: its last line does not say how much there is`);
  if (documents !== lines - 1) throw new Error(`the file is not whole: it has ${lines - 1} of ${documents} documents`);
}

async function requireEmpty(db: Db): Promise<void> {
  for (const name of await namesOf(db)) {
    if ((await db.collection(name).findOne()) === null) continue;
    throw new Error(`the database ${db.databaseName} is not empty: ${name} has documents`);
  }
}

async function namesOf(db: Db): Promise<readonly string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') throw new Error('the file ends in the middle of a line');
}

async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<readonly [string, Document[]]> {
  let [current, documents]: [string, Document[]] = ['', []];
  for await (const line of lines) {
    const { collection, document }: Partial<Entry> = BSON.EJSON.parse(line, CANONICAL);
    // The end, behind which nothing comes; to stop before the file does would break it off.
    if (collection === undefined || document === undefined) continue;
    if (documents.length === BATCH || (documents.length > 0 && collection !== current)) {
      yield [current, documents];
      documents = [];
    }
    current = collection;
    documents.push(document);
  }
  if (documents.length > 0) yield [current, documents];
}
