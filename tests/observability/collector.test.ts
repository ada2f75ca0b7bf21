import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ATTRIBUTES } from '@pfq/kit/telemetry/registry';
import { readYaml } from './observability-files.ts';

const { processors, connectors, service } = readYaml('collector.yaml');
const { allow_all_keys: allowsAll, allowed_keys: allowed, blocked_values: blocked } = processors.redaction;
/** What a process says of itself and where it runs; nothing of a request. */
const OF_A_PROCESS = /^(deployment|k8s|service|telemetry)[.]/;

describe('the collector', () => {
  it('lets through the attributes of the registry, those of processes, and no other', () => {
    assert.equal(allowsAll, false);
    const ofRequests = allowed.filter((key: string) => !OF_A_PROCESS.test(key));
    assert.deepEqual(ofRequests.toSorted(), Object.keys(ATTRIBUTES).toSorted());
  });

  const secrets: Readonly<Record<string, string>> = {
    'an API key': `pfq_live_${'a1B2'.repeat(12)}0`,
    'an API key that was cut off': 'pfq_test_a1B2c3',
    'a hosted link': `https://quotes.example/q/${'aB3-'.repeat(11)}`,
    'an email address': 'dana.o-neil+quotes@agency.example',
    'an email address in other words': 'no mailbox for <dana@agency.example> here',
    'an employer identification number': 'FEIN 12-3456789',
    'a bearer credential': 'Bearer abcdefgh12345678',
    'a password in an address': 'postgres://pfq:s3cret@db:5432/gateway',
  };
  const patterns = blocked.map((pattern: string) => toRegExp(pattern));
  const masks = (value: string) => patterns.some((pattern: RegExp) => pattern.test(value));

  for (const [what, value] of Object.entries(secrets)) {
    it(`masks ${what}`, () => assert.ok(masks(value)));
  }

  for (const value of [
    'req_0Ndh2Vx9sK3fQ1bT7mZ8aC',
    '/q/{token}/interest',
    'INSERT quotes',
    '2026-11-20',
    'grpc',
    'pfq/gateway',
  ]) {
    it(`leaves ${value} as it is`, () => assert.ok(!masks(value)));
  }

  it('counts spans before it decides which traces are kept, and after nothing is left in them that must not be', () => {
    const { 'traces/received': received, 'traces/kept': kept } = service.pipelines;
    assert.deepEqual(received.processors, ['memory_limiter', 'redaction', 'transform']);
    assert.ok(received.exporters.includes('span_metrics') && 'span_metrics' in connectors);
    assert.deepEqual(
      kept.receivers,
      received.exporters.filter((name: string) => name.startsWith('forward/')),
    );
    assert.deepEqual(kept.processors, ['tail_sampling', 'batch']);
  });

  it('keeps what failed, what took over 800 ms and what insureds responded', () => {
    const [failed, slow, responses] = processors.tail_sampling.policies;
    assert.deepEqual(failed.status_code.status_codes, ['ERROR']);
    assert.equal(slow.latency.threshold_ms, 800);
    assert.deepEqual(responses.string_attribute, { key: 'http.route', values: ['/q/{token}/interest'] });
  });

  it('bounds what it holds while nobody takes it', () => {
    const { pipelines } = service;
    for (const name of ['traces/received', 'metrics/services'])
      assert.equal(pipelines[name].processors[0], 'memory_limiter');
  });
});

/** RE2, which the collector uses, writes flags before the pattern. */
function toRegExp(pattern: string): RegExp {
  return pattern.startsWith('(?i)') ? new RegExp(pattern.slice('(?i)'.length), 'i') : new RegExp(pattern);
}
