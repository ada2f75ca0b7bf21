import { Marked } from 'marked';
import type { Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { highlight } from './highlight.ts';

/** A heading below the title. `html` is its text. */
export type Heading = { readonly depth: number; readonly id: string; readonly html: string };

/** What a Markdown source becomes. `title` and `summary`, its first paragraph, are plain text. */
export type RenderedMarkdown = {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
};

const CAPTIONS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'Node.js',
  json: 'JSON',
  http: 'HTTP',
  promql: 'PromQL',
};
const OWN_ID = /\s*\{#([\w-]+)\}$/;

/** Renders one page. Links lead to other pages by their file names; any other address is refused, so that none is dead. */
export function renderMarkdown(source: string, addressOf: (file: string) => string): RenderedMarkdown {
  const headings: Heading[] = [];
  let title = '';
  let summary = '';
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const html = this.parser.parseInline(tokens).replace(OWN_ID, '');
        if (depth === 1) {
          title = text;
          return `<h1>${html}</h1>\n`;
        }
        const id = OWN_ID.exec(text)?.[1] ?? toId(text);
        if (headings.some((heading) => heading.id === id)) throw new Error(`two headings have the anchor ${id}`);
        headings.push({ depth, id, html });
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
      },
      paragraph({ tokens }) {
        if (summary === '') summary = this.parser.parseInline(tokens, this.parser.textRenderer);
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolveLink(href, addressOf))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code: renderCode,
      table(token) {
        const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
        const head = token.header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`);
        const table = `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>\n`;
      },
    },
  });
  const html = marked.parse(source, { async: false });
  if (title === '') throw new Error('a page has no title');
  return { title, summary, html, headings };
}

/** Codes keep their spelling, because `doc_url` ends in it. */
function toId(text: string): string {
  if (/^[A-Z][A-Z_]+$/.test(text)) return text;
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function resolveLink(href: string, addressOf: (file: string) => string): string {
  if (href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#');
  return addressOf(file) + (anchor === undefined ? '' : `#${anchor}`);
}

/** The first word behind the fence is the language; `answer` says that the code is what the block before it gets. */
function renderCode({ text, lang = '' }: Tokens.Code): string {
  const [language = '', ...remarks] = lang.split(' ');
  const caption = remarks.includes('answer') ? 'Answer' : CAPTIONS[language];
  const head = caption === undefined ? '' : `<figcaption>${caption}</figcaption>`;
  return `<figure class="code">${head}<pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>\n`;
}
