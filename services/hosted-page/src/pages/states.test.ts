import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderPage } from './render.ts';
import { INTERESTED, PAGES, textOf } from './sample-pages.test-support.ts';

describe('the page of a response', () => {
  for (const [name, says] of [
    ['response', /Your response/],
    ['response sent', /Thank you, your response was sent/],
    ['response sent before', /A response was already sent.*What you wrote now was not sent/],
    ['another response sent', /A response was already sent.*Only one response can be sent/],
  ] as const) {
    test(`"${name}" shows what was chosen, when, with which note, and what comes of it`, () => {
      const text = read(name);
      for (const part of [
        says,
        /15% down, 5 monthly payments/,
        /November 20, 2026 at 9:00 AM Central Time/,
        /Call after 3\./,
      ]) {
        assert.match(text, part);
      }
      assert.match(text, /Rosa Vega is told of your choice by email/);
      assert.match(text, /Nothing is signed or paid yet/);
    });
  }

  test('says in test mode that nobody is told', () => {
    assert.match(read('response of test mode'), /Nobody is told, because this is a test quote/);
    assert.doesNotMatch(read('response of test mode'), /is told of your choice/);
  });

  test('offers nothing more to choose or to send', () => {
    const html = renderPage({ kind: 'interested', quote: INTERESTED, after: null }, { language: 'en', switchTo: null });
    assert.doesNotMatch(html, /<form|<input|<button/);
  });
});

describe('a quote that cannot be chosen from', () => {
  test('tells when it expired, and whom to ask', () => {
    assert.match(read('expired'), /has expired.*Was valid until December 19, 2026 at 11:30 PM Central Time/);
    assert.match(read('expired'), /rosa@hill-country\.example/);
  });

  test('tells in plain words why it cannot be financed', () => {
    assert.match(read('ineligible'), /does not finance policies of one of the insurers/);
    assert.doesNotMatch(read('ineligible'), /ISSUER/);
  });
});

describe('a page without a quote', () => {
  for (const [name, says] of [
    ['replaced', /a newer link/],
    ['unknown', /does not exist/],
    ['foreign form', /nothing was sent/],
    ['too many', /Try again in 2 minutes/],
    ['too large', /shorten your note/],
    ['unavailable', /Nothing is lost.*Try again/],
    ['failed', /req_0000000000000000000000/],
  ] as const) {
    test(`"${name}" tells what is the matter and what to do`, () => assert.match(read(name), says));
  }
});

function read(name: string): string {
  return textOf(renderPage(PAGES.get(name) ?? assert.fail(name), { language: 'en', switchTo: null }));
}
