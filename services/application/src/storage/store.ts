import type { Tenant } from '@pfq/kit/caller';
import type { Application, IncomingApplication, KnownApplication } from '../domain/application.ts';
import type { Page } from '../domain/page.ts';

/** Which applications are asked for: those of the tenant, and of one broker where `brokerEmail` is given, in any case. */
export type Listing = {
  readonly tenant: Tenant;
  readonly brokerEmail: string | undefined;
  /** The page begins strictly after this one. */
  readonly startingAfter: string | undefined;
  /** Only those that carry exactly this. */
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
};

/** How many were not known before, are different from now on, and were known just so. */
export type UpsertCounts = { readonly created: number; readonly updated: number; readonly unchanged: number };

/** What of an application may change. */
export type Content = Omit<Application, 'id' | 'createdAt'>;

export type ApplicationStore = {
  /** Null where the application to start after is not among those that the tenant and the broker see. */
  list(listing: Listing): Promise<Page | null>;
  /** What is known of ids, whatever their agency: for those who bring applications in. */
  findKnown(ids: readonly string[]): Promise<readonly KnownApplication[]>;
  /**
   * Stores applications of different ids as they now stand, and who changed what. Null where meanwhile an id was taken,
   * by another agency or with another time of creation: `findKnown` tells which, and asking again may then succeed. In
   * PostgreSQL nothing was stored then; MongoDB may have stored the others. Throws OutcomeUnknownError where repeating
   * it must tell.
   */
  upsert(incoming: readonly IncomingApplication[], actor: string): Promise<UpsertCounts | null>;
};

export function contentOf(application: Application): Content {
  const { id: _id, createdAt: _createdAt, ...content } = application;
  return content;
}
