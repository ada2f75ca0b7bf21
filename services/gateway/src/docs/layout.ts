import { CURRENT_VERSION } from '../versions/changes.ts';
import { escapeHtml } from './escape.ts';
import { addressOf, CHAPTERS, ROOT_PATH } from './pages.ts';
import type { Page } from './pages.ts';
import { isRunbook, RUNBOOKS } from './runbooks.ts';

type Frame = {
  /** What the reader sees; null where it is no page, as for an address that is unknown. */
  readonly page: Page | null;
  readonly pages: readonly Page[];
  readonly style: string;
};

const NOT_FOUND = {
  title: 'Page not found',
  summary: 'There is no page at this address.',
  html: `<h1>Page not found</h1>
<p>There is no page at this address. The <a href="${ROOT_PATH}">overview</a> lists them all, and the
<a href="${addressOf('errors')}">list of errors</a> has every code.</p>
`,
};

/** One page as a whole document: it needs no script, no other file and nobody else's server. */
export function layOut({ page, pages, style }: Frame): string {
  const { title, summary, html } = page ?? NOT_FOUND;
  const navigation = renderNavigation(page, pages);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(page?.name === 'index' ? title : `${title} · pfq API`)}</title>
<link rel="icon" href="${ROOT_PATH}/icon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${ROOT_PATH}"><b>pfq</b> API documentation</a>
<span class="version">Version ${CURRENT_VERSION}</span>
</header>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="frame">
<nav class="side" aria-label="Pages">${navigation}</nav>
<main id="content" tabindex="-1">
${html}${page === null ? '' : renderNeighbours(page, pages)}</main>
</div>
</body>
</html>
`;
}

function renderNavigation(current: Page | null, pages: readonly Page[]): string {
  const chapters = CHAPTERS.map((chapter) => {
    const links = Object.entries(chapter.pages).map(([name, label]) => {
      const parts = name === current?.name ? renderParts(current) : '';
      return `<li>${renderLink({ name, label }, current)}${parts}</li>`;
    });
    return renderChapter(chapter.title, links);
  });
  return `\n${chapters.join('\n')}\n${renderChapter('Operate', [renderRunbookLinks(current, pages)])}\n`;
}

/** The runbooks are listed for those who read one: callers of the API have no use for them. */
function renderRunbookLinks(current: Page | null, pages: readonly Page[]): string {
  const list = renderLink({ name: RUNBOOKS, label: 'Runbooks' }, current);
  if (current === null || !isRunbook(current.name)) return `<li>${list}</li>`;
  const links = pages
    .filter(({ name }) => isRunbook(name) && name !== RUNBOOKS)
    .map((page) => `<li>${renderLink(page, current)}</li>`);
  return `<li>${list}\n<ul>\n${links.join('\n')}\n</ul>\n</li>`;
}

function renderChapter(title: string, links: readonly string[]): string {
  return `<p>${title}</p>\n<ul>\n${links.join('\n')}\n</ul>`;
}

function renderLink({ name, label }: Pick<Page, 'name' | 'label'>, current: Page | null): string {
  const mark = name === current?.name ? ' aria-current="page"' : '';
  return `<a href="${addressOf(name)}"${mark}>${escapeHtml(label)}</a>`;
}

/** The parts of the page at hand. */
function renderParts({ headings }: Page): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  if (parts.length === 0) return '';
  return `\n<ul>\n${parts.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('\n')}\n</ul>\n`;
}

/** The pages before and after, for whoever reads on. */
function renderNeighbours(page: Page, pages: readonly Page[]): string {
  const at = pages.indexOf(page);
  const link = (neighbour: Page | undefined, rel: 'prev' | 'next') =>
    neighbour === undefined
      ? ''
      : `<a rel="${rel}" href="${addressOf(neighbour.name)}"><small>${rel === 'prev' ? 'Before' : 'Next'}</small> ${escapeHtml(neighbour.label)}</a>\n`;
  const [before, after] = [at > 0 ? pages[at - 1] : undefined, pages[at + 1]];
  return `<nav class="neighbours" aria-label="Read on">\n${link(before, 'prev')}${link(after, 'next')}</nav>\n`;
}
