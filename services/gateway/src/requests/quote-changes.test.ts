import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { parseBody } from './body.ts';
import { parseInterestRequest, parseLinkRequest } from './quote-changes.ts';

/** A body, and the code and place of its one problem; read where there is none. */
type Row = readonly [body: unknown, problem?: string];

const OPTION = { option_id: 'opt_25_10' };
const COWBOY = '🤠';

const INTERESTS: readonly Row[] = [
  [OPTION],
  [{ ...OPTION, note: null }],
  [{ ...OPTION, note: '' }],
  [{ ...OPTION, note: COWBOY.repeat(500) }],
  [{ ...OPTION, note: COWBOY.repeat(501) }, 'TOO_LONG note'],
  [{ ...OPTION, note: 7 }, 'INVALID_TYPE note'],
  [{ ...OPTION, note: 'a\0b' }, 'INVALID_VALUE note'],
  [{ ...OPTION, note: '\ud83e' }, 'INVALID_VALUE note'],
  [{}, 'REQUIRED option_id'],
  [{ option_id: null }, 'INVALID_TYPE option_id'],
  [{ option_id: 25 }, 'INVALID_TYPE option_id'],
  [{ option_id: ' ' }, 'INVALID_VALUE option_id'],
  [{ option_id: 'x'.repeat(255) }],
  [{ option_id: 'x'.repeat(256) }, 'TOO_LONG option_id'],
  [{ ...OPTION, option: 'opt_25_10' }, 'UNKNOWN_FIELD option'],
  [[], 'INVALID_TYPE undefined'],
];
const LINKS: readonly Row[] = [
  [{}],
  [{ option_id: 'opt_25_10' }, 'UNKNOWN_FIELD option_id'],
  [[], 'INVALID_TYPE undefined'],
  [null, 'INVALID_TYPE undefined'],
];

function problemIn(parse: () => unknown): string | undefined {
  try {
    parse();
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'VALIDATION_FAILED', String(error));
    return error.details.map(({ code, param }) => `${code} ${param}`).join();
  }
  return undefined;
}

describe('the body of a test interest', () => {
  for (const [body, problem] of INTERESTS) {
    const sent = JSON.stringify(body);
    it(`${Array.from(sent).slice(0, 60).join('')} → ${problem ?? 'read'}`, () => {
      assert.equal(
        problemIn(() => parseInterestRequest(parseBody(Buffer.from(sent)))),
        problem,
      );
    });
  }

  it('has null for a note that was not sent', () => {
    const read = parseInterestRequest(parseBody(Buffer.from(JSON.stringify(OPTION))));
    assert.deepEqual(read, { option_id: 'opt_25_10', note: null });
  });
});

describe('the body of a new hosted link', () => {
  for (const [body, problem] of LINKS) {
    const sent = JSON.stringify(body);
    it(`${sent} → ${problem ?? 'read'}`, () => {
      assert.equal(
        problemIn(() => parseLinkRequest(parseBody(Buffer.from(sent)))),
        problem,
      );
    });
  }

  it('may be empty', () => {
    assert.doesNotThrow(() => parseLinkRequest(parseBody(Buffer.alloc(0))));
  });
});
