import { ServiceError } from '@pfq/kit/errors';

/** Every dated version of the public API, oldest first. */
const VERSIONS = ['2026-09-23'] as const;

export type ApiVersion = (typeof VERSIONS)[number];

export const CURRENT_VERSION: ApiVersion = VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0];

/** The newest version not after the pinned date; the current one where none is pinned, the first where all are later. */
export function chooseVersion(pinned: string | undefined): ApiVersion {
  if (pinned === undefined) return CURRENT_VERSION;
  if (!isRealDate(pinned)) {
    throw new ServiceError('INVALID_API_VERSION', {
      message: `Service-Version must be a real date written YYYY-MM-DD, such as ${CURRENT_VERSION}.`,
    });
  }
  return VERSIONS.findLast((version) => version <= pinned) ?? VERSIONS[0];
}

function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
