import { join } from 'node:path';

/** Where this release's migrations are. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Tables of which rows are removed when they are old; of all others, never. */
export const REMOVED_FROM = ['idempotency_keys', 'requests'];
