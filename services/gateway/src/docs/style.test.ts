import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { coloursOf, contrast } from '../../../../tests/support/contrast.ts';

const STYLE = readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8');
/** WCAG 2.2, success criterion 1.4.3: text of ordinary size. */
const LEAST_CONTRAST = 4.5;
const TEXTS = ['ink', 'soft', 'accent', 'text', 'value', 'note'];

for (const scheme of ['light', 'dark']) {
  for (const ground of ['ground', 'panel', 'tint']) {
    test(`every colour of text can be read on ${ground} in the ${scheme} scheme`, () => {
      const colours = coloursOf(STYLE, scheme);
      for (const text of TEXTS) {
        const found = contrast(colours(text), colours(ground));
        assert.ok(found >= LEAST_CONTRAST, `${text} has a contrast of ${found.toFixed(2)}`);
      }
    });
  }
}
