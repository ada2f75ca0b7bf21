import { ServiceError } from '@pfq/kit/errors';
import { isCalendarDate } from './calendar-date.ts';

/** Every dated version of the public API, oldest first. */
const VERSIONS = ['2026-09-23'] as const;

export type ApiVersion = (typeof VERSIONS)[number];

export const CURRENT_VERSION: ApiVersion = VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0];

/** The newest version not after the pinned date; the current one where none is pinned, the first where all are later. */
export function chooseVersion(pinned: string | undefined): ApiVersion {
  if (pinned === undefined) return CURRENT_VERSION;
  if (!isCalendarDate(pinned)) {
    throw new ServiceError('INVALID_API_VERSION', {
      message: `Service-Version must be a real date written YYYY-MM-DD, such as ${CURRENT_VERSION}.`,
    });
  }
  return VERSIONS.findLast((version) => version <= pinned) ?? VERSIONS[0];
}
