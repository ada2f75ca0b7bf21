import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown } from './markdown.ts';
import type { RenderedMarkdown } from './markdown.ts';

/** Where the site is mounted. */
export const ROOT_PATH = '/docs';

/** The pages by the names of their files, in the order of reading, and how the navigation calls them. */
export const CHAPTERS: readonly { readonly title: string; readonly pages: Readonly<Record<string, string>> }[] = [
  {
    title: 'Start',
    pages: { index: 'Overview', quickstart: 'Quickstart', authentication: 'Authentication' },
  },
  {
    title: 'Use',
    pages: {
      requests: 'Requests and conventions',
      quotes: 'Quotes',
      'coverage-types': 'Coverage types',
      applications: 'Applications',
      'test-mode': 'Test mode',
    },
  },
  {
    title: 'Run',
    pages: { errors: 'Errors', idempotency: 'Idempotency', limits: 'Limits', versioning: 'Versions and changelog' },
  },
  {
    title: 'Look up',
    pages: { reference: 'API reference', glossary: 'Glossary' },
  },
];

export type Page = RenderedMarkdown & { readonly name: string; readonly label: string };

/** Fills a `{{name argument}}` of a source: with plain text, or with Markdown that is made from what the service knows. */
export type Fillings = Readonly<Record<string, (argument: string) => string>>;

const SOURCES = path.resolve(import.meta.dirname, '../../../../docs/api');
const FILLING = /\{\{(\w+)(?: ([\w-]+))?\}\}/g;

/** Renders every page from its Markdown, which lies beside the other documents of the project. */
export function renderPages(fillings: Fillings): readonly Page[] {
  const labels = CHAPTERS.flatMap(({ pages }) => Object.entries(pages));
  return labels.map(([name, label]) => {
    const source = readFileSync(path.join(SOURCES, `${name}.md`), 'utf8');
    return { name, label, ...renderMarkdown(fill(source, fillings), addressOfFile) };
  });
}

/** The address of a page. */
export function addressOf(name: string): string {
  return name === 'index' ? ROOT_PATH : `${ROOT_PATH}/${name}`;
}

function fill(source: string, fillings: Fillings): string {
  return source.replaceAll(FILLING, (_, name: string, argument: string | undefined) => {
    const filling = fillings[name];
    if (filling === undefined) throw new Error(`nothing fills {{${name}}}`);
    return filling(argument ?? '');
  });
}

/** Sources name each other by file, so that they can be followed where they lie. */
function addressOfFile(file: string): string {
  if (file === '../openapi.json') return '/openapi.json';
  const name = /^([a-z-]+)\.md$/.exec(file)?.[1] ?? '';
  if (CHAPTERS.some(({ pages }) => name in pages)) return addressOf(name);
  throw new Error(`a page links to ${file}, which is no page`);
}
