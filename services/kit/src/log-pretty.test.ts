import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { prettyLines } from './log-pretty.ts';

const LINE = { level: 'info', time: '2026-11-20T12:34:56.789Z', service: 'gateway', msg: 'listening' };
const REQUEST = { msg: 'request', request_id: 'req_1', method: 'POST', route: '/v1/quotes', status: 201 };
const TRACE = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };

function shown(fields: object, isColourful = false): string {
  const written: string[] = [];
  prettyLines({ write: (text) => written.push(text) }, isColourful).write(JSON.stringify({ ...LINE, ...fields }));
  return written.join('');
}

const SHOWN: readonly { readonly what: string; readonly fields: object; readonly expected: string }[] = [
  { what: 'an event', fields: { port: 9090 }, expected: 'INFO  listening  port=9090' },
  {
    what: 'a request',
    fields: { ...REQUEST, ...TRACE, agency_id: 'agy_0123456789abcdef', duration_ms: 34.21 },
    expected: 'INFO  POST /v1/quotes 201 in 34 ms  request_id=req_1 trace=4bf92f35 agency=agy_01234567',
  },
  {
    what: 'a call',
    fields: { msg: 'call', rpc: 'pfq.pricing.v1.PricingService/PriceDeal', status: 'OK', duration_ms: 1.234 },
    expected: 'INFO  pfq.pricing.v1.PricingService/PriceDeal OK in 1.2 ms',
  },
  {
    what: 'a call that failed',
    fields: { level: 'warn', msg: 'call refused', rpc: 'PriceDeal', reason: 'no "rates" today', empty: '' },
    expected: String.raw`WARN  call refused: PriceDeal  reason="no \"rates\" today" empty=""`,
  },
  {
    what: 'an error, its stack on lines of its own,',
    fields: { level: 'error', err: { message: 'full', stack: 'Error: full\n    at file:///srv/a.ts:1:2' } },
    expected: 'ERROR listening\nError: full\n    at file:///srv/a.ts:1:2',
  },
];

for (const { what, fields, expected } of SHOWN) {
  test(`${what} is shown as people read it, without colours where nobody sees them`, () => {
    assert.match(shown(fields), /^\d\d:\d\d:56\.789 /);
    assert.equal(shown(fields).slice('12:34:56.789 '.length), `${expected}\n`);
  });
}

test('colours change nothing else', () => {
  for (const { fields } of SHOWN) {
    assert.notEqual(shown(fields, true), shown(fields));
    assert.equal(stripVTControlCharacters(shown(fields, true)), shown(fields));
  }
});
