import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const STYLE = readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8');
/** WCAG 2.2, success criterion 1.4.3: text of ordinary size. */
const LEAST_CONTRAST = 4.5;
const TEXTS = ['ink', 'soft', 'accent', 'text', 'value', 'note'];

for (const scheme of ['light', 'dark']) {
  for (const ground of ['ground', 'panel', 'tint']) {
    test(`every colour of text can be read on ${ground} in the ${scheme} scheme`, () => {
      const colours = coloursOf(scheme);
      for (const text of TEXTS) {
        const found = contrast(colours(text), colours(ground));
        assert.ok(found >= LEAST_CONTRAST, `${text} has a contrast of ${found.toFixed(2)}`);
      }
    });
  }
}

/** The value of a colour by its name, in one of the two `:root` blocks. */
function coloursOf(scheme: string): (name: string) => string {
  const blocks = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block);
  const block = blocks[scheme === 'light' ? 0 : 1] ?? '';
  return (name) => new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block)?.[1] ?? assert.fail(`${name} is missing`);
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance by WCAG. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
