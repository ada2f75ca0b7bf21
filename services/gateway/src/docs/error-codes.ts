import { DETAIL_CODES } from '@pfq/kit/detail-codes';
import { ERROR_CODES, isErrorCode } from '@pfq/kit/error-codes';
import type { ErrorCode } from '@pfq/kit/error-codes';
import { ERROR_EXAMPLES } from '../openapi/error-examples.ts';
import { REQUEST_ID } from '../openapi/headers.ts';
import { errorAnswer } from '../routes/answer.ts';

/** A table of every error code, each with a link to its part of the page. */
export function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, type, meaning }]) => `| [\`${code}\`](#${code}) | ${status} | \`${type}\` | ${meaning} |`,
  );
  return ['| Code | Status | Type | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The part of the page that a `doc_url` leads to: what the code means, what to do, and a body that carries it. */
export function errorPart(code: string, docsUrl: string): string {
  if (!isErrorCode(code)) throw new Error(`${code} is no error code`);
  const { status, type, meaning, remedy } = ERROR_CODES[code];
  return [
    `### ${code}`,
    '',
    `Status ${status}, type \`${type}\`. ${meaning}`,
    '',
    `**What to do:** ${remedy}`,
    '',
    ...exampleOf(code, docsUrl),
  ].join('\n');
}

/** A list of every detail code, with an anchor each. */
export function detailParts(): string {
  return Object.entries(DETAIL_CODES)
    .map(([code, meaning]) => `### ${code}\n\n${meaning}\n`)
    .join('\n');
}

/** None for the codes that are reserved. */
function exampleOf(code: ErrorCode, docsUrl: string): readonly string[] {
  const example = ERROR_EXAMPLES[code];
  if (example === null) return [];
  const { body } = errorAnswer(example, { requestId: REQUEST_ID, docsUrl });
  return ['```json', JSON.stringify(JSON.parse(body ?? ''), null, 2), '```'];
}
