import { acceptApplications, idsOf, requireCount } from '../domain/accept-applications.ts';
import type { IncomingApplication } from '../domain/application.ts';
import type { IncomingDraft } from '../domain/draft.ts';
import type { ApplicationStore, UpsertCounts } from '../storage/store.ts';

/** The first look at what is known of the ids can be overtaken by another call; after that, what it did is known. */
const ATTEMPTS = 2;

/** Throws VALIDATION_FAILED with everything that is wrong, by itself or beside what is stored. */
export async function acceptIncoming(
  store: ApplicationStore,
  drafts: readonly IncomingDraft[],
): Promise<readonly IncomingApplication[]> {
  requireCount(drafts);
  return acceptApplications(drafts, await store.findKnown(idsOf(drafts)));
}

export async function upsertIncoming(
  store: ApplicationStore,
  drafts: readonly IncomingDraft[],
  { actor }: { actor: string },
): Promise<UpsertCounts> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const counts = await store.upsert(await acceptIncoming(store, drafts), actor);
    if (counts !== null) return counts;
  }
  throw new Error('an id is taken, and nobody is known to have it');
}
