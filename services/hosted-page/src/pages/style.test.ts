import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { coloursOf, contrast } from '../../../../tests/support/contrast.ts';
import { renderPage } from './render.ts';
import { PAGES } from './sample-pages.test-support.ts';
import { SCRIPT_SOURCE, STYLE_SOURCE } from './style.ts';

const STYLE = readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8');

/** WCAG 2.2, 1.4.3 for text of ordinary size and 1.4.11 for the edges of controls. */
const TEXTS = {
  least: 4.5,
  pairs: ['ink', 'soft', 'accent'].flatMap((text) => ['ground', 'sheet', 'tint'].map((on) => [text, on])),
};
const OTHERS = {
  least: 4.5,
  pairs: [
    ['on-accent', 'accent'],
    ['on-test', 'test'],
    ['problem', 'problem-tint'],
    ['problem', 'sheet'],
    ['ink', 'problem-tint'],
  ],
};
const EDGES = {
  least: 3,
  pairs: [
    ['edge', 'sheet'],
    ['edge', 'ground'],
    ['accent', 'ground'],
    ['accent', 'sheet'],
  ],
};

for (const scheme of ['light', 'dark']) {
  test(`every text can be read and every control seen in the ${scheme} scheme`, () => {
    const colours = coloursOf(STYLE, scheme);
    for (const { least, pairs } of [TEXTS, OTHERS, EDGES]) {
      for (const [one = '', other = ''] of pairs) {
        const found = contrast(colours(one), colours(other));
        assert.ok(found >= least, `${one} on ${other} has a contrast of ${found.toFixed(2)}`);
      }
    }
  });
}

test('the policy of the pages allows the very style and script that stand in them', () => {
  for (const [name, page] of PAGES) {
    const html = renderPage(page, { language: 'en', switchTo: null });
    const [style, script] = [/<style>(.*?)<\/style>/s, /<script>(.*?)<\/script>/s].map(
      (pattern) => pattern.exec(html)?.[1],
    );
    assert.equal(sourceOf(style ?? ''), STYLE_SOURCE, name);
    if (script !== undefined) assert.equal(sourceOf(script), SCRIPT_SOURCE, name);
  }
});

test('the style loads nothing, and cuts off no text that grows', () => {
  assert.doesNotMatch(STYLE, /url\(|@import|@font-face|max-height|text-overflow|line-clamp|\sheight: (?!1\.35rem)/);
});

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
