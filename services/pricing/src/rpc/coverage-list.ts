import { COVERAGE_LIST_VERSION, COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import type { CoverageList } from '../storage/store.ts';

/** The coverage list of this release. */
export const COVERAGE_LIST: CoverageList = {
  version: COVERAGE_LIST_VERSION,
  verifyMinimumEarned: COVERAGE_TYPES.filter(({ flags }) => flags.includes('verify_minimum_earned'))
    .map(({ type }) => type)
    .sort(),
};

export const COVERAGE_TYPE_NAMES: readonly string[] = COVERAGE_TYPES.map(({ type }) => type);

const NAMES: ReadonlySet<string> = new Set(COVERAGE_TYPE_NAMES);

export function isCoverageType(type: string): boolean {
  return NAMES.has(type);
}
