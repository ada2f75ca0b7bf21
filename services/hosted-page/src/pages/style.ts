import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NOTE_SCRIPT } from './note-script.ts';

/** The style of every page, written into it. */
export const STYLE = shrink(readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8'));

/** What a Content-Security-Policy allows for these pages: `style-src` and `script-src`, each by the hash of its text. */
export const STYLE_SOURCE = sourceOf(STYLE);
export const SCRIPT_SOURCE = sourceOf(NOTE_SCRIPT);

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Without comments and needless spaces; those before a colon may part two selectors and stay. */
function shrink(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();
}
