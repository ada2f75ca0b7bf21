import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent } from './caller.ts';

const SENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a traceparent is handed on as it came, and anything else not at all', () => {
  assert.equal(readTraceparent(SENT), SENT);
  for (const other of ['', SENT.toUpperCase(), `${SENT}\n`, ` ${SENT}`, `${SENT}-00`, SENT.replace('00', 'ff')]) {
    assert.equal(readTraceparent(other), undefined, JSON.stringify(other));
  }
});
