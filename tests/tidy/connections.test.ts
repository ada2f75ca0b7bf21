import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, SOURCES } from './sources.ts';

/** What each has to be given; null, which is in the clear or for ever, is for tests and for the kit's own probes. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  serveRpc: /^(?=[^]*\btls\b)(?=[^]*\bconnectionAgeMs\b)(?![^]*: null\b)/,
  serveHttp: /^(?=[^]*\bconnectionAgeMs\b)(?![^]*: null\b)/,
  createRpcTransport: /, tls$/,
};

for (const [name, needed] of Object.entries(NEEDED)) {
  test(`a service gives every ${name} what its settings say of TLS and of the age of connections`, () => {
    const services = SOURCES.filter(({ file }) => /^services\/(?!kit\/)/.test(file) && !isTest(file));
    const calls = services.flatMap(({ file, code }) => argumentsOf(code, name).map((given) => ({ file, given })));
    assert.ok(calls.length > 0, 'the rule finds something to judge');
    assert.deepEqual(
      calls.filter(({ given }) => !needed.test(given)),
      [],
    );
  });
}

/** As they are written between the parentheses of each call. */
function argumentsOf(code: string, name: string): readonly string[] {
  return [...code.matchAll(new RegExp(`\\b${name}\\(`, 'g'))].map(({ 0: call, index }) => {
    const start = index + call.length;
    let end = start;
    for (let depth = 1; depth > 0 && end < code.length; end += 1) {
      if (code[end] === '(') depth += 1;
      if (code[end] === ')') depth -= 1;
    }
    return code.slice(start, end - 1).trim();
  });
}
