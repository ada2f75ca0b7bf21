import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown } from './markdown.ts';
import { addressOf } from './pages.ts';
import type { Page } from './pages.ts';

/** The page that lists the runbooks; each of them is below it. */
export const RUNBOOKS = 'runbooks';

const SOURCES = path.resolve(import.meta.dirname, '../../../../docs/runbooks');
const ENDING = '.md';
const INDEX = 'index';

/** What operators read when an alert fires: the list of runbooks, then each by its name. */
export function renderRunbooks(): readonly Page[] {
  const files = readdirSync(SOURCES).filter((file) => file.endsWith(ENDING));
  const names = files.map((file) => file.slice(0, -ENDING.length)).sort();
  const runbooks = names.filter((name) => name !== INDEX);
  return [INDEX, ...runbooks].map((name) => {
    const source = readFileSync(path.join(SOURCES, name + ENDING), 'utf8');
    const rendered = renderMarkdown(source, (file) => addressOfFile(file, runbooks));
    return { name: nameOf(name), label: rendered.title, ...rendered };
  });
}

/** Whether a page is the list of runbooks or one of them. */
export function isRunbook(name: string): boolean {
  return name === RUNBOOKS || name.startsWith(`${RUNBOOKS}/`);
}

/** Sources name each other by file, and the pages for callers by where they lie. */
function addressOfFile(file: string, runbooks: readonly string[]): string {
  const [, folder = '', name = ''] = /^(\.\.\/api\/)?([a-z-]+)\.md$/.exec(file) ?? [];
  if (folder !== '') return addressOf(name);
  if (name === INDEX || runbooks.includes(name)) return addressOf(nameOf(name));
  throw new Error(`a runbook links to ${file}, which is no page`);
}

function nameOf(file: string): string {
  return file === INDEX ? RUNBOOKS : `${RUNBOOKS}/${file}`;
}
