import { apiVersions } from './api-versions.ts';
import type { VersionChange } from './version-change.ts';

/** What each later version changed, oldest first; the first version, 2026-09-23, is still the current one. */
export const CHANGES: readonly VersionChange[] = [];

export const CURRENT_VERSION = apiVersions(CHANGES).current;
