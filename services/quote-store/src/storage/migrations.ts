import { join } from 'node:path';

/** Where this release's migrations are. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations');
