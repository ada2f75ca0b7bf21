import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleRequest } from './example-request.ts';

describe('the printed deal is twelve whole months that lie ahead', () => {
  const cases = [
    ['2026-11-20T12:00:00Z', '2026-12-01', '2027-12-01'],
    ['2026-12-31T23:59:59Z', '2027-01-01', '2028-01-01'],
    ['2028-02-29T00:00:00Z', '2028-03-01', '2029-03-01'],
  ] as const;
  for (const [now, effective, expiration] of cases) {
    test(`sent at ${now}`, () => {
      const text = JSON.stringify(exampleRequest(new Date(now)));
      assert.ok(text.includes(`"effective_date":"${effective}","expiration_date":"${expiration}"`));
    });
  }
});

test('the printed deal can stand between single quotes of a shell', () => {
  assert.doesNotMatch(JSON.stringify(exampleRequest(new Date())), /'/);
});
