import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AuditQuery, AuditSource } from '@pfq/kit/audit';
import type { Tenant } from '@pfq/kit/caller';
import type { Application } from '../domain/application.ts';
import type { ApplicationStore, Listing } from './store.ts';

/** A fresh database and stores on it. */
export type Scene = {
  readonly store: ApplicationStore;
  /** The same data as another process sees it. */
  readonly other: ApplicationStore;
  readonly audit: AuditSource;
  readonly refuseConnections: () => void | Promise<void>;
  readonly acceptConnections: () => void | Promise<void>;
};

export type MakeScene = (t: TestContext) => Promise<Scene>;

function live(agencyId: string): Tenant {
  return { agencyId, mode: 'live' };
}

/** Asks for everything that an agency has, but for what is told otherwise. */
export function listing(agencyId: string, changes: Partial<Listing> = {}): Listing {
  const everything = { brokerEmail: undefined, startingAfter: undefined, clientReferenceId: undefined, limit: 100 };
  return { tenant: live(agencyId), ...everything, ...changes };
}

/** Asks for every change, but for what is told otherwise. */
export function allChanges(asked: Partial<AuditQuery> = {}): AuditQuery {
  return { limit: 1_000, since: null, before: null, target: '', actor: '', ...asked };
}

/** Who changed an application, oldest first. */
export async function actorsOf({ audit }: Pick<Scene, 'audit'>, id: string): Promise<readonly string[]> {
  return (await audit.list(allChanges({ target: id }))).map(({ actor }) => actor).toReversed();
}

/** The applications of every page, one page after another as a client asks for them. */
export async function listPages(
  store: ApplicationStore,
  asked: Listing,
  betweenPages: () => Promise<unknown> = async () => {},
): Promise<readonly Application[]> {
  const found: Application[] = [];
  for (let startingAfter = asked.startingAfter; ; startingAfter = found.at(-1)?.id) {
    const page = await store.list({ ...asked, startingAfter });
    assert.ok(page !== null, 'the last of a page can be started after');
    assert.ok(page.applications.length <= asked.limit);
    found.push(...page.applications);
    if (!page.hasMore) return found;
    assert.equal(page.applications.length, asked.limit);
    await betweenPages();
  }
}

export async function listIds(store: ApplicationStore, asked: Listing): Promise<readonly string[]> {
  return idsOf(await listPages(store, asked));
}

export function idsOf(applications: readonly Application[]): readonly string[] {
  return applications.map(({ id }) => id);
}

/** Newest first by creation, then by id, byte by byte. */
export function newestFirst(applications: readonly Application[]): readonly Application[] {
  return [...applications].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  );
}
