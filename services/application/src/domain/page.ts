import { ServiceError } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import type { Application } from './application.ts';

const MOST = 100;

/** Applications newest first, by creation and then by id, compared byte by byte. */
export type Page = { readonly applications: readonly Application[]; readonly hasMore: boolean };

export const EMPTY_PAGE: Page = { applications: [], hasMore: false };

/** Throws INVALID_PAGINATION where a page of that size is not to be had. */
export function requireLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return;
  throw new ServiceError('INVALID_PAGINATION', {
    message: `limit must be a whole number from 1 to ${MOST}.`,
    param: 'limit',
  });
}

/** Throws INVALID_PAGINATION where no application can have that id. */
export function requireCursor(startingAfter: string): void {
  if (!isId('app_', startingAfter)) throw invisibleCursor();
}

/** One answer for an id that is unknown, malformed, of another agency or of another broker. */
export function invisibleCursor(): ServiceError {
  return new ServiceError('INVALID_PAGINATION', {
    message: 'starting_after must be the id of an application that the key can see: pass the next_cursor of a page.',
    param: 'starting_after',
  });
}

/** The page of `limit` applications, of which one more was looked for to learn whether another page follows. */
export function toPage(found: readonly Application[], limit: number): Page {
  return { applications: found.slice(0, limit), hasMore: found.length > limit };
}
