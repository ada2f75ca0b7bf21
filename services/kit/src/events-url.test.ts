import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from './config.ts';
import { eventsUrl } from './events-url.ts';
import type { EventsUrl } from './events-url.ts';

const settings = { events: eventsUrl('EVENTS_URL', { doc: 'Where events go.', schemes: ['kafka', 'grpc'] }) };
const plain = { kind: 'kafka', tls: false, sasl: null } as const;
const FORMS =
  'must be kafka://host:port[,host:port…], or kafkas://user:password@host:port[,…] for TLS and a login; or grpc://host:port';
const MECHANISM = 'may end in ?mechanism= and one of plain, scram-sha-256, scram-sha-512, and in nothing else';
const BROKERS = 'must name every broker as host:port, separated by commas';

const GOOD: Readonly<Record<string, EventsUrl>> = {
  'kafka://a:9092': { ...plain, brokers: ['a:9092'] },
  'kafka://a.example:9092,b-1.example:19092/': { ...plain, brokers: ['a.example:9092', 'b-1.example:19092'] },
  'kafka://[::1]:9092,10.0.0.1:9092': { ...plain, brokers: ['[::1]:9092', '10.0.0.1:9092'] },
  'kafkas://a:9093': { ...plain, tls: true, brokers: ['a:9093'] },
  'kafkas://u:p@a:9093,b:9093': {
    kind: 'kafka',
    tls: true,
    brokers: ['a:9093', 'b:9093'],
    sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
  },
  'kafkas://u:p%40s%3As@a:9093?mechanism=plain': {
    kind: 'kafka',
    tls: true,
    brokers: ['a:9093'],
    sasl: { mechanism: 'plain', username: 'u', password: 'p@s:s' },
  },
  'kafka://u:p@127.0.0.1:9093,localhost:9093?mechanism=scram-sha-256': {
    kind: 'kafka',
    tls: false,
    brokers: ['127.0.0.1:9093', 'localhost:9093'],
    sasl: { mechanism: 'scram-sha-256', username: 'u', password: 'p' },
  },
  'grpc://notification:9090': { kind: 'grpc', url: 'grpc://notification:9090' },
};

const BAD: Readonly<Record<string, string>> = {
  'http://a:80': FORMS,
  'kafka:a:9092': FORMS,
  'kafka://': FORMS,
  'kafka://a:9092/topic': FORMS,
  'kafka://a:9092#x': FORMS,
  'grpc://notification': FORMS,
  'grpc://user:hunter2@notification:9090': FORMS,
  'grpc://notification:9090/path': FORMS,
  'kafka://a': BROKERS,
  'kafka://a:9092,': BROKERS,
  'kafka://a:9092, b:9092': BROKERS,
  'kafka://a:0': BROKERS,
  'kafka://a:65536': BROKERS,
  'kafkas://u:hunter2@a:9092?mechanism=oauthbearer': MECHANISM,
  'kafkas://u:hunter2@a:9092?mechanism=plain&mechanism=plain': MECHANISM,
  'kafkas://a:9092?ssl=true': MECHANISM,
  'kafkas://a:9092?mechanism=plain': 'names a mechanism, but no user:password@ to use it with',
  'kafkas://hunter2@a:9092': 'must have a login such as user:password@',
  'kafkas://:hunter2@a:9092': 'must have a login such as user:password@',
  'kafkas://u:hunter2:x@a:9092': 'must have a login such as user:password@',
  'kafkas://u:hunter2%ff@a:9092': 'has a login whose percent signs encode nothing',
  'kafka://u:hunter2@127.0.0.1:9092,a:9092':
    'must be kafkas://… where it holds a password, which would else travel unencrypted',
};

for (const [given, expected] of Object.entries(GOOD)) {
  test(`${given} is where events go`, () => {
    assert.deepEqual(readConfig(settings, { EVENTS_URL: given }).events, expected);
  });
}

for (const [given, problem] of Object.entries(BAD)) {
  test(`${given} is refused with what is wrong, and without a password`, () => {
    assert.throws(() => readConfig(settings, { EVENTS_URL: given }), { problems: [`EVENTS_URL ${problem}`] });
    assert.ok(!problem.includes('hunter2'));
  });
}

test('only the kinds that a service can use are accepted', () => {
  const kafkaOnly = { events: eventsUrl('EVENTS_URL', { doc: 'Where events come from.', schemes: ['kafka'] }) };
  assert.throws(() => readConfig(kafkaOnly, { EVENTS_URL: 'grpc://notification:9090' }), /EVENTS_URL must be kafka:/);
  const { brokers } = readConfig(kafkaOnly, { EVENTS_URL: 'kafka://a:9092' }).events;
  assert.deepEqual(brokers, ['a:9092']);
});

test('any login survives being percent-encoded', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const property = fc.property(text, text, (username, password) => {
    const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
    const { events } = readConfig(settings, { EVENTS_URL: `kafkas://${login}@a:9093` });
    assert.deepEqual(events.kind === 'kafka' && events.sasl, { mechanism: 'scram-sha-512', username, password });
  });
  fc.assert(property);
});

test('no text makes it fail in another way than by naming the variable', () => {
  const parts = fc.constantFrom(
    'kafka',
    's',
    '://',
    'grpc',
    'u',
    ':',
    '@',
    'a:1',
    ',',
    '?',
    'mechanism=',
    'plain',
    '%',
    '/',
    '#',
  );
  const property = fc.property(fc.array(parts), (given) => {
    try {
      readConfig(settings, { EVENTS_URL: given.join('') });
    } catch (error) {
      assert.match(String(error), /EVENTS_URL (must|may|names|has|is) /);
    }
  });
  fc.assert(property);
});
