import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markdownWithoutHtml, plainMarkdown } from './escape.ts';
import { renderMarkdown } from './markdown.ts';

const render = (source: string) => renderMarkdown(`# T\n\n${source}`, (file) => `/docs/${file}`);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('a page', () => {
  it('takes its title from the first heading and its summary from the first paragraph, as plain text', () => {
    const { title, summary } = renderMarkdown('# A `B` & C\n\nSee [this](x.md) **now**.\n\nLater.', (file) => file);
    assert.equal(title, 'A B & C');
    assert.equal(summary, 'See this now.');
  });

  it('gives each heading an anchor: codes keep their spelling, others become words, and one may bring its own', () => {
    const { headings } = render('## NOT_FOUND\n\n## When you are over a limit?\n\n### A `b` {#own-id}');
    assert.deepEqual(headings, [
      { depth: 2, id: 'NOT_FOUND', html: 'NOT_FOUND' },
      { depth: 2, id: 'when-you-are-over-a-limit', html: 'When you are over a limit?' },
      { depth: 3, id: 'own-id', html: 'A <code>b</code>' },
    ]);
  });

  it('is refused with two headings of the same anchor, or without a title', () => {
    assert.throws(() => render('## One\n\n## One'), /two headings have the anchor one/);
    assert.throws(() => renderMarkdown('No title.', (file) => file), /no title/);
  });

  it('leads to other pages by the names of their files, and stays on the page for a place of its own', () => {
    const { html } = render('[a](b.md) [c](b.md#d) [e](#f)');
    assert.match(html, /href="\/docs\/b.md">a.*href="\/docs\/b.md#d">c.*href="#f">e/);
  });

  it('shows code as it is written, whatever its language', () => {
    const code = `<b> & "x" 'y' $PFQ_KEY # no comment\n{"a": "<i>", "b": -1.5e3, "c": null} // 1`;
    for (const language of ['json', 'sh', 'js', 'http', 'promql', 'text']) {
      const { html } = render(`\`\`\`${language}\n${code}\n\`\`\``);
      assert.equal(textOf(html.split('<code>')[1] ?? ''), `${code}\n`, language);
    }
  });
});

describe('text that is put into a page', () => {
  it('is shown as it is, whatever marks it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
        const shown = text.replaceAll(/\s+/g, ' ').trim();
        fc.pre(shown !== '');
        const { html } = render(`| a |\n|---|\n| ${plainMarkdown(shown)} |`);
        assert.equal(textOf(/<td>(.*)<\/td>/.exec(html)?.[1] ?? ''), shown);
      }),
    );
  });

  it('keeps its marks but no tags where it is Markdown', () => {
    const { html } = render(markdownWithoutHtml('Use `a<b>` & **never** <script>alert(1)</script> &copy;'));
    assert.match(html, /<p>Use <code>a&lt;b&gt;<\/code> &amp; <strong>never<\/strong> &lt;script&gt;/);
    assert.match(html, /&amp;copy;<\/p>/);
  });
});
