import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import type { Answer } from './answer.ts';

const BODY = JSON.stringify({ object: 'list', data: COVERAGE_TYPES });

/** `GET /v1/coverage-types`: the lines of cover that a policy can have. */
export async function listCoverageTypes(): Promise<Answer> {
  return { status: 200, body: BODY };
}
