import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@pfq/kit/clock';
import { emailKey } from '@pfq/kit/email-address';
import { OPERATION_LIMIT } from '@pfq/kit/mongo';
import type { MongoDatabase } from '@pfq/kit/mongo';
import { MongoBulkWriteError } from 'mongodb';
import type { AnyBulkWriteOperation, Collection, Db, Filter } from 'mongodb';
import type { IncomingApplication } from '../domain/application.ts';
import { toPage } from '../domain/page.ts';
import type { Page } from '../domain/page.ts';
import type { Change } from './mongo-audit.ts';
import { contentOf } from './store.ts';
import type { ApplicationStore, Content, Listing, UpsertCounts } from './store.ts';

/**
 * An application as it last stood. The id is the key of the document, so that no two agencies can have the same. Who
 * changed it and when is kept in the same document, because nothing that is written to two is written together; of a
 * longer history only the newest changes are left, since a document is written whole and may not grow for ever.
 */
type ApplicationDocument = {
  readonly _id: string;
  readonly agencyId: string;
  readonly mode: 'live' | 'test';
  readonly createdAt: Date;
  /** The owning broker's address as it is compared, without case. */
  readonly brokerEmailKey: string;
  readonly clientReferenceId: string | null;
  readonly content: Content;
  /** The newest, oldest first. */
  readonly changes: readonly Change[];
};
type KnownDocument = Omit<ApplicationDocument, 'changes'>;

const WITHOUT_CHANGES = { ...OPERATION_LIMIT, projection: { changes: 0 } } as const;
const MOST_CHANGES = 100;
const DUPLICATE_KEY = 11_000;
export const COLLECTION = 'applications';

export function mongoApplicationStore(database: MongoDatabase, clock: Clock): ApplicationStore {
  return {
    list: (listing) => database.read((db) => list(collectionOf(db), listing)),
    async findKnown(ids) {
      const documents = await findDocuments(database, ids);
      return documents.map(({ _id, agencyId, createdAt }) => ({ id: _id, agencyId, createdAt }));
    },
    upsert: (incoming, actor) => upsert(database, { incoming, actor, at: new Date(clock()) }),
  };
}

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;
/** Of the lists: of an agency, of a broker, and of what carries a caller's own id; and of the changes, for the operator. */
const INDEXES = [
  { key: { agencyId: 1, mode: 1, ...NEWEST_FIRST }, name: 'by_creation' },
  { key: { agencyId: 1, mode: 1, brokerEmailKey: 1, ...NEWEST_FIRST }, name: 'by_broker' },
  { key: { agencyId: 1, mode: 1, clientReferenceId: 1, ...NEWEST_FIRST }, name: 'by_client_reference' },
  { key: { 'changes.at': -1 }, name: 'by_change' },
] as const;

/** Made where they are missing. */
export async function createApplicationIndexes(db: Db): Promise<void> {
  await collectionOf(db).createIndexes(INDEXES.map((index) => ({ ...index })));
}

/** Rejects where an index of this release is missing. A later release may have made more. */
export async function assertApplicationIndexes(db: Db): Promise<void> {
  const found = await db.listCollections({ name: COLLECTION }, OPERATION_LIMIT).toArray();
  const made = found.length === 0 ? [] : await collectionOf(db).indexes(OPERATION_LIMIT);
  const missing = INDEXES.filter(({ name }) => made.every((index) => index.name !== name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`the database lacks the indexes ${missing.join(', ')}: run the migrations`);
}

/** One look for the application to start after, where there is one, and one for the page. */
async function list(collection: Collection<ApplicationDocument>, listing: Listing): Promise<Page | null> {
  const { tenant, brokerEmail, startingAfter, clientReferenceId, limit } = listing;
  const isVisible = {
    agencyId: tenant.agencyId,
    mode: tenant.mode,
    ...(brokerEmail !== undefined && { brokerEmailKey: emailKey(brokerEmail) }),
  };
  const start =
    startingAfter === undefined
      ? undefined
      : await collection.findOne<KnownDocument>({ _id: startingAfter, ...isVisible }, WITHOUT_CHANGES);
  if (start === null) return null;
  const isWanted = {
    ...isVisible,
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(start !== undefined && isOlderThan(start)),
  };
  const found = await collection
    .find<KnownDocument>(isWanted, WITHOUT_CHANGES)
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  return toPage(
    found.map(({ _id, createdAt, content }) => ({ ...content, id: _id, createdAt })),
    limit,
  );
}

/** The first condition is what an index can be read from; the second settles what was created in the same instant. */
function isOlderThan({ _id, createdAt }: KnownDocument): Filter<ApplicationDocument> {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
}

/** Each application is written by itself: what is written together with others is either there or can be asked for again. */
async function upsert(
  database: MongoDatabase,
  { incoming, actor, at }: { incoming: readonly IncomingApplication[]; actor: string; at: Date },
): Promise<UpsertCounts | null> {
  const documents = await findDocuments(
    database,
    incoming.map(({ application }) => application.id),
  );
  const known = new Map(documents.map((document) => [document._id, document]));
  if (incoming.some((one) => isTaken(one, known.get(one.application.id)))) return null;
  const changed = incoming.filter(
    ({ application }) => !isDeepStrictEqual(known.get(application.id)?.content, contentOf(application)),
  );
  const writes = changed.map((one) => {
    const action = known.has(one.application.id) ? 'application.update' : 'application.create';
    return toWrite(one, { at, actor, action });
  });
  try {
    if (writes.length > 0) {
      await database.write((db) => collectionOf(db).bulkWrite(writes, { ...OPERATION_LIMIT, ordered: false }));
    }
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    if (error.code === DUPLICATE_KEY) return null;
    // The driver's error carries what was to be written, which is not for the log.
    throw new Error(`applications were refused: ${error.message}`, { cause: error });
  }
  const created = changed.filter(({ application }) => !known.has(application.id)).length;
  return { created, updated: changed.length - created, unchanged: incoming.length - changed.length };
}

function isTaken({ agencyId, application }: IncomingApplication, known: KnownDocument | undefined): boolean {
  if (known === undefined) return false;
  return known.agencyId !== agencyId || known.createdAt.getTime() !== application.createdAt.getTime();
}

/**
 * Finds the document only where agency and time of creation are those that never change. Where they are not, MongoDB
 * tries to insert a second document of the same id, and the key refuses it.
 */
function toWrite(
  { agencyId, application }: IncomingApplication,
  change: Change,
): AnyBulkWriteOperation<ApplicationDocument> {
  const { id, createdAt, brokerEmail, clientReferenceId } = application;
  return {
    updateOne: {
      filter: { _id: id, agencyId, mode: 'live', createdAt },
      update: {
        $set: { brokerEmailKey: emailKey(brokerEmail), clientReferenceId, content: contentOf(application) },
        $push: { changes: { $each: [change], $slice: -MOST_CHANGES } },
      },
      upsert: true,
    },
  };
}

/** By key, whatever the agency. */
function findDocuments(database: MongoDatabase, ids: readonly string[]): Promise<readonly KnownDocument[]> {
  return database.read((db) =>
    collectionOf(db)
      .find<KnownDocument>({ _id: { $in: ids } }, WITHOUT_CHANGES)
      .toArray(),
  );
}

function collectionOf(db: Db): Collection<ApplicationDocument> {
  return db.collection<ApplicationDocument>(COLLECTION);
}
