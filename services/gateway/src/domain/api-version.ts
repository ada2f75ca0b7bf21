import { isCalendarDate } from '@pfq/kit/calendar-date';
import { ServiceError } from '@pfq/kit/errors';

/** A version of the public API: the day it was issued, YYYY-MM-DD. */
export type ApiVersion = string;

export const FIRST_VERSION: ApiVersion = '2026-09-23';

/**
 * Of `versions`, oldest first, the newest that is not after the pinned date; the newest of all where none is pinned, the first
 * where all are later. Throws INVALID_API_VERSION where the pin is no date, as two header lines joined are none.
 */
export function chooseVersion(
  pinned: string | undefined,
  versions: readonly [ApiVersion, ...ApiVersion[]],
): ApiVersion {
  const [first] = versions;
  const newest = versions.at(-1) ?? first;
  if (pinned === undefined) return newest;
  if (!isCalendarDate(pinned)) {
    throw new ServiceError('INVALID_API_VERSION', {
      message: `Service-Version must be one real date written YYYY-MM-DD, such as ${newest}.`,
    });
  }
  return versions.findLast((version) => version <= pinned) ?? first;
}
