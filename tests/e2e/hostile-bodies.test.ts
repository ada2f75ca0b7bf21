import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { quoteOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { requireDocumented } from '../support/openapi.ts';
import { converseRaw, inChunks } from '../support/raw-http.ts';
import type { RawAnswer, RawBytes } from '../support/raw-http.ts';
import { sql } from '../support/sql.ts';
import { useStack } from '../support/use-stack.ts';

const MAX_BODY_BYTES = 2_097_152;
/** The heap that the gateway must do with. Beside it lie 140 MB of program and up to 60 bodies, each as sent and in one piece. */
const HEAP_MB = 256;
const MOST_MEMORY_MB = 800;
const EXAMPLE = exampleBody('roofing-contractor');
const OFFICE = '"office": "Austin"';

/** The example with other text in the place of some that it holds. */
function changed(sent: string, instead: string): string {
  assert.ok(EXAMPLE.includes(sent), sent);
  return EXAMPLE.replace(sent, () => instead);
}

const metadata = (members: string) => changed(OFFICE, members);
const rate = (number: string) => changed('"rate": 0.25', `"rate": ${number}`);
const premium = (json: string) => changed('"premium": "38750.00"', `"premium": ${json}`);

/** The example with bytes for the name of its office. */
function office(bytes: readonly number[]): Buffer {
  const [first = '', second = ''] = changed(OFFICE, '"office": "|"').split('|');
  return Buffer.concat([Buffer.from(first), Buffer.from(bytes), Buffer.from(second)]);
}

const NO_JSON: Readonly<Record<string, string | Buffer>> = {
  'a byte that is no UTF-8': office([0xff]),
  'NUL in two bytes': office([0xc0, 0x80]),
  'half a surrogate pair as bytes': office([0xed, 0xa0, 0x80]),
  'a code point beyond the last': office([0xf4, 0x90, 0x80, 0x80]),
  'a character cut short by the end': Buffer.from('"é').subarray(0, 2),
  'a byte order mark': `\uFEFF${EXAMPLE}`,
  'UTF-16': Buffer.from(EXAMPLE, 'utf16le'),
  'NUL in a string': office([0]),
  'NUL after the text': `${EXAMPLE}\0`,
  'a member twice': changed('"policies"', '"insured": {}, "policies"'),
  'a member twice deep inside': changed('"rate": 0.25', '"rate": 0.25, "rate": 0.25'),
  'a member twice by an escape': changed('"policies"', String.raw`"insure\u0064": {}, "policies"`),
  '__proto__ twice': metadata('"__proto__": "a", "__proto__": "b"'),
  '10,000 nested arrays': '['.repeat(10_000) + ']'.repeat(10_000),
  '10,000 nested objects': metadata(`"a": ${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  'two million opening brackets': '['.repeat(MAX_BODY_BYTES),
  '2 MB of blanks': ' '.repeat(MAX_BODY_BYTES),
  'two texts': `${EXAMPLE}{}`,
};

const INVALID: Readonly<Record<string, readonly [body: string, code: string, param: string | undefined]>> = {
  'an escaped NUL': [metadata(String.raw`"a": "\u0000"`), 'INVALID_VALUE', 'metadata.a'],
  'NUL in a name': [metadata(String.raw`"\u0000": ""`), 'INVALID_VALUE', String.raw`metadata["\u0000"]`],
  'half a surrogate pair': [metadata(String.raw`"a": "x\ud83d"`), 'INVALID_VALUE', 'metadata.a'],
  'a surrogate pair the wrong way round': [metadata(String.raw`"a": "\ude00\ud83d"`), 'INVALID_VALUE', 'metadata.a'],
  'a number beyond every double': [rate('1e999'), 'OUT_OF_RANGE', 'policies[0].minimum_earned.rate'],
  'a number nearer to 0 than any double': [rate('1e-999'), 'OUT_OF_RANGE', 'policies[0].minimum_earned.rate'],
  'an exponent of a million digits': [
    rate(`1e${'9'.repeat(1_000_000)}`),
    'OUT_OF_RANGE',
    'policies[0].minimum_earned.rate',
  ],
  'a million digits of money': [premium(`"${'9'.repeat(1_000_000)}.00"`), 'INVALID_FORMAT', 'policies[0].premium'],
  'money as a number beyond every double': [premium('1e999'), 'INVALID_TYPE', 'policies[0].premium'],
  'a field named __proto__': [changed('"insured"', '"__proto__": {}, "insured"'), 'UNKNOWN_FIELD', '__proto__'],
  'a field named constructor': [changed('"dba"', '"constructor": 1, "dba"'), 'UNKNOWN_FIELD', 'insured.constructor'],
  'an array': ['[]', 'INVALID_TYPE', undefined],
};

/** Names that objects, databases and templates trip over, in an order that objects do not keep. */
const PAIRS: readonly (readonly [name: string, value: string])[] = [
  ['__proto__', 'constructor'],
  ['10', 'ten'],
  ['9', 'nine'],
  ['constructor', '__proto__'],
  ['', ' '],
  ['toString', ''],
  ['caf\u00e9', 'composed'],
  ['cafe\u0301', 'decomposed'],
  ['"\\/', '\b\f\n\r\t\u0001\u001f\u007f'],
  ['\u2028', '\u2029\u0085\u00a0'],
  ['\ufeff', '\ufffd\ufffe\uffff'],
  ['\u202e', 'مرحبا'],
  ['👩‍👩‍👧', '👍'.repeat(500)],
  ["'; DROP TABLE quotes; --", '</script>${x}{{y}}%00&amp;'],
  ['1e999', '-0'],
];

const OPENING_BRACKETS = Buffer.alloc(MAX_BODY_BYTES, '[');
const SMALL_OBJECTS = Buffer.from(`[${'{"":0},'.repeat(299_000)}0]`);
const UNKNOWN_FIELDS = Buffer.from(`{${Array.from({ length: 160_000 }, (_, n) => `"f${n}":0`).join()}}`);
const A_MEGABYTE = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, ' '), Buffer.from('\r\n')]);

describe('bodies that mean ill, sent to a running stack', () => {
  process.env['NODE_OPTIONS'] = `--max-old-space-size=${HEAP_MB}`;
  const { stack, api } = useStack();
  const port = () => Number(new URL(stack().file.gateway_url).port);
  const converse = async (bytes: RawBytes, hangsUp = false) => {
    const answers = await converseRaw(port(), bytes, { hangsUp });
    answers.forEach(requireDocumentedAnswer);
    return answers;
  };
  const headOf = (connection: string, ...framing: readonly string[]) => {
    const key = stack().file.keys.test;
    const lines = ['POST /v1/quotes HTTP/1.1', 'Host: pfq', `Authorization: Bearer ${key}`, connection, ...framing];
    return `${lines.join('\r\n')}\r\n\r\n`;
  };
  const head = (...framing: readonly string[]) => headOf('Connection: close', ...framing);
  const declared = (body: string | Buffer) => [head(`Content-Length: ${Buffer.byteLength(body)}`), body];
  const chunked = (body: string | Buffer) => [head('Transfer-Encoding: chunked'), ...inChunks(body)];
  function* endless(): Iterable<string | Buffer> {
    yield head('Transfer-Encoding: chunked');
    for (;;) yield A_MEGABYTE;
  }
  async function* dripping(): AsyncIterable<string> {
    yield head(`Content-Length: ${EXAMPLE.length}`);
    for (const character of EXAMPLE) {
      yield character;
      await wait(500);
    }
  }
  const stored = async () => {
    const [row] = await sql(stack(), 'quote_store', 'SELECT count(*)::integer AS quotes FROM quotes');
    return row?.['quotes'];
  };

  const slow: Promise<readonly RawAnswer[]>[] = [];
  before(() => {
    for (let n = 0; n < 12; n += 1) {
      slow.push(converse([head('Content-Length: 2000'), '{"insured":']));
      slow.push(converse(dripping()));
    }
  });

  for (const [what, body] of Object.entries(NO_JSON)) {
    it(`answers ${what} with INVALID_JSON, declared or in chunks`, async () => {
      for (const bytes of [declared(body), chunked(body)]) assertError(await converse(bytes), '400 INVALID_JSON');
    });
  }

  for (const [what, [body, code, param]] of Object.entries(INVALID)) {
    it(`answers ${what} with ${code} at ${param ?? 'the body'}, in few words`, async () => {
      const answers = await converse(declared(body));
      const { details } = assertError(answers, '422 VALIDATION_FAILED');
      assert.ok(Array.isArray(details) && details.length === 1, JSON.stringify(details));
      assert.deepEqual([details[0].code, details[0].param], [code, param]);
      assert.ok((answers[0]?.body.length ?? 0) < 1_000);
    });
  }

  it('reads 2 MB to the byte, and refuses one byte more, before it is sent or while it comes, and one without an end', async () => {
    for (const framed of [declared, chunked]) {
      const [most] = await converse(framed(EXAMPLE.padEnd(MAX_BODY_BYTES)));
      assert.equal(most?.status, 201, most?.body);
      assertError(await converse(framed(EXAMPLE.padEnd(MAX_BODY_BYTES + 1))), '400 INVALID_REQUEST');
    }
    assertError(await converse([head(`Content-Length: ${MAX_BODY_BYTES + 1}`)]), '400 INVALID_REQUEST');
    assertError(await converse(endless()), '400 INVALID_REQUEST');
  });

  it('reads a body for as long as it says it is: what follows is a request of its own, without the key of the first', async () => {
    const first = headOf('Connection: keep-alive', 'Content-Length: 2');
    const rest = 'GET /v1/whoami HTTP/1.1\r\nHost: pfq\r\nConnection: close\r\n\r\n';
    const [answer, next, ...others] = await converse([`${first}{}${rest}`]);
    assertError([answer], '422 VALIDATION_FAILED');
    assert.equal(next?.status, 401);
    assert.deepEqual(others, []);
  });

  it('answers a body of two lengths, and one that ends before its length, with a bare 400, and stores nothing', async () => {
    const quotesBefore = await stored();
    const [, ...chunks] = chunked(EXAMPLE);
    const lies = [
      await converse([head(`Content-Length: ${EXAMPLE.length}`, 'Transfer-Encoding: chunked'), ...chunks]),
      await converse([head(`Content-Length: ${EXAMPLE.length + 1}`), EXAMPLE], true),
      await converse([head('Transfer-Encoding: chunked'), ...chunks.slice(0, -1)], true),
    ];
    for (const [answer] of lies) assert.deepEqual([answer?.status, answer?.body], [400, '']);
    assert.equal(await stored(), quotesBefore);
  });

  it('gives hostile names and texts of metadata back byte for byte: created, read and in the database', async () => {
    const members = PAIRS.map((pair) => pair.map((text) => JSON.stringify(text)).join(':')).join();
    const { metadata: _, ...rest } = JSON.parse(EXAMPLE);
    const created = await api().post(`{"metadata":{${members}},${JSON.stringify(rest).slice(1)}`);
    const { id } = quoteOf(created);
    const read = await api().get(id);
    const kept = `SELECT convert_from(request_members, 'UTF8') AS members FROM quotes WHERE id = '${id}'`;
    const [row] = await sql(stack(), 'quote_store', kept);
    for (const text of [created.text, read.text, String(row?.['members'])])
      assert.ok(text.includes(`"metadata":{${members}}`), text.slice(0, 2_000));
  });

  for (const [what, number, read] of [
    ['-0', '-0', 0],
    ['an exponent', '2500e-4', 0.25],
    ['the last of a million digits', `0.25${'0'.repeat(1_000_000)}1`, 0.2501],
    ['a million nines', `0.${'9'.repeat(1_000_000)}`, 1],
  ] as const) {
    it(`prices a rate with ${what} as the exact number that it is`, async () => {
      const { status, text } = await api().post(rate(number));
      assert.equal(status, 201, text);
      assert.equal(JSON.parse(text).policies[0].minimum_earned.rate, read);
    });
  }

  it('answers everyone as documented, and holds little memory, while dozens of the worst come at once', async () => {
    const worst = [
      declared(OPENING_BRACKETS),
      declared(SMALL_OBJECTS),
      declared(UNKNOWN_FIELDS),
      chunked(SMALL_OBJECTS),
    ];
    const coming = Array.from({ length: 60 }, (_, n) => converse(worst[n % 5] ?? endless()));
    for (let n = 0; n < 20; n += 1) {
      const { status } = await api().ask('GET', '/v1/whoami');
      assert.equal(status, 200);
    }
    for (const [answer] of await Promise.all(coming)) assert.match(String(answer?.status), /^(400|422)$/);
    if (process.platform === 'linux') assert.ok(peakMemoryMb(stack().output()) < MOST_MEMORY_MB);
    assert.equal((await api().post(EXAMPLE)).status, 201);
  });

  it('hangs up with a bare 408 on whoever stops sending, or sends a byte now and then, half a minute after its request', async () => {
    for (const [answer] of await Promise.all(slow)) assert.deepEqual([answer?.status, answer?.body], [408, '']);
    assert.equal((await api().post(EXAMPLE)).status, 201);
  });
});

/** Whether an answer is in the OpenAPI document; what Node refuses before it is a request has no Request-Id, and is not. */
function requireDocumentedAnswer({ status, headers, body }: RawAnswer): void {
  if (!headers.has('request-id')) return;
  requireDocumented({ method: 'POST', target: '/v1/quotes', status, headers: new Headers([...headers]), text: body });
}

/** Whether the only answer is the one documented, with all that every answer must have. Gives the error. */
function assertError([answer, ...others]: readonly (RawAnswer | undefined)[], outcome: string) {
  assert.ok(answer && others.length === 0, `${others.length} more answers`);
  const { error } = JSON.parse(answer.body);
  assert.equal(`${answer.status} ${error.code}`, outcome);
  assert.match(error.request_id, /^req_[0-9A-Za-z]{22}$/);
  assert.equal(answer.headers.get('request-id'), error.request_id);
  assert.equal(answer.headers.get('service-version'), '2026-09-23');
  assert.equal(answer.headers.get('ratelimit-limit'), '60');
  return error;
}

/** The most that the gateway process has ever held. */
function peakMemoryMb(output: string): number {
  const [, pid = ''] = /gateway +\| process (\d+)/.exec(output) ?? [];
  const [, peakKb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(peakKb) / 1_024;
}
