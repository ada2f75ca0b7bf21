import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackFile } from './stack.ts';
import { whereToLook } from './where-to-look.ts';

const DEMO = { id: 'qte_1', hosted_url: 'http://page.example/q/1', request_id: 'req_1' };
const FILE: StackFile = {
  gateway_url: 'http://api.example',
  hosted_url: 'http://page.example',
  docs_url: 'http://api.example/docs',
  mail_url: 'http://mail.example',
  postgres_url: 'postgres://db.example',
  operations: {
    gateway: 'http://one.example',
    'hosted-page': 'http://two.example',
    pricing: 'http://three.example',
    'quote-store': 'http://four.example',
    application: 'http://five.example',
    notification: 'http://six.example',
  },
  operator: { gateway_url: '', pricing_url: '', application_url: '', notification_url: '', token: '' },
  agency_id: 'agy_1',
  brokers: [],
  keys: { test: 'pfq_test_1', live: 'pfq_live_1', broker_test: '', broker_live: '' },
  demo_quotes: { test: null, live: DEMO },
};

function printed(changes: Partial<StackFile> = {}, environment: Readonly<Record<string, string>> = {}): string {
  return whereToLook({ ...FILE, ...changes }, { elapsedMs: 1_234, environment }).join('\n');
}

test('each service is named with the address of its health and of its metrics', () => {
  for (const [name, url] of Object.entries(FILE.operations)) {
    assert.match(printed(), new RegExp(`^  ${name} +${url}/readyz  ${url}/metrics$`, 'm'));
  }
});

test('commands are about this stack, wherever its data is', () => {
  assert.match(printed(), /^ {2}npx pfq request show req_1$/m);
  const elsewhere = printed({}, { PFQ_LOCAL_DIR: '/tmp/second' });
  assert.match(elsewhere, /^ {2}PFQ_LOCAL_DIR='\/tmp\/second' npx pfq request show req_1$/m);
  assert.match(elsewhere, /`PFQ_LOCAL_DIR='\/tmp\/second' npm run reset`/);
});

test('where traces go is said, or how to get any', () => {
  assert.match(printed(), /^Traces need a collector: OTEL_EXPORTER_OTLP_ENDPOINT=\S+ npm start$/m);
  const collector = 'http://127.0.0.1:4318';
  assert.match(printed({}, { OTEL_EXPORTER_OTLP_ENDPOINT: collector }), /^Traces and metrics go to \S+:4318\.$/m);
});

test('what there is no demo quote for is not offered', () => {
  const without = printed({ demo_quotes: { test: null, live: null } });
  assert.doesNotMatch(without, /hosted page|request show|quote verify/);
  assert.match(printed({ demo_quotes: { test: DEMO, live: null } }), /request show req_1/);
});
