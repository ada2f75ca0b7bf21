import { h } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Content, Fact } from './content.ts';
import { DARK_STYLE, STYLES } from './styles.ts';

/** The email for readers of HTML: one column that shrinks, no image, nothing from elsewhere; what others wrote is text. */
export function toHtml(content: Content): string {
  return `<!doctype html>\n${renderToString(page(content))}\n`;
}

function page(content: Content): JSX.Element {
  return h(
    'html',
    { lang: 'en', dir: 'ltr' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      // Phones would make links of figures.
      h('meta', { name: 'format-detection', content: 'telephone=no, date=no, address=no, email=no' }),
      h('title', null, content.subject),
      h('style', null, DARK_STYLE),
    ),
    h(
      'body',
      { class: 'page', style: STYLES.page },
      h('div', { style: STYLES.preview }, content.preview),
      column(h('div', { class: 'card', style: STYLES.card }, ...message(content))),
    ),
  );
}

/** At most 600 px wide, in the middle: by a table, because some readers know no other way. */
function column(card: JSX.Element): JSX.Element {
  const layout = { role: 'presentation', cellpadding: '0', cellspacing: '0', border: '0' };
  return h(
    'table',
    { ...layout, width: '100%', style: 'border-collapse:collapse' },
    h('tr', null, h('td', { align: 'center', style: 'padding:16px 8px' }, h('div', { style: STYLES.column }, card))),
  );
}

function message(content: Content): readonly ComponentChildren[] {
  const { greeting, lead, payments, amounts, note, details, portalLink, legal, reason } = content;
  return [
    h('p', { style: STYLES.paragraph }, greeting),
    h('p', { style: STYLES.paragraph }, lead),
    h(
      'h1',
      { class: 'offer', style: STYLES.offer },
      payments.monthly,
      h('br', null),
      h('span', { class: 'muted', style: STYLES.down }, `after ${payments.down}`),
    ),
    table(amounts, { caption: 'The option in full', areFigures: true }),
    note.length === 0 ? null : h('h2', { style: STYLES.heading }, 'Their note'),
    note.length === 0 ? null : quotation(note),
    h(
      'p',
      { style: STYLES.action },
      h('a', { class: 'button', href: portalLink, style: STYLES.button }, 'Open the quote in the portal'),
    ),
    table(details, { caption: 'About the quote', areFigures: false }),
    h('p', { class: 'rule', style: STYLES.legal }, legal),
    h('p', { class: 'muted', style: STYLES.reason }, reason),
  ];
}

function table(facts: readonly Fact[], { caption, areFigures }: { caption: string; areFigures: boolean }): JSX.Element {
  const [label, cell] = areFigures ? [STYLES.label, STYLES.figure] : [STYLES.term, STYLES.word];
  return h(
    'table',
    { cellpadding: '0', cellspacing: '0', border: '0', width: '100%', style: STYLES.table },
    h('caption', { style: STYLES.caption }, caption),
    h(
      'tbody',
      null,
      facts.map((fact) =>
        h(
          'tr',
          null,
          h('th', { scope: 'row', class: 'muted rule', style: label }, fact.label),
          h('td', { class: 'rule', style: cell }, h('span', { dir: 'auto' }, fact.value)),
        ),
      ),
    ),
  );
}

function quotation(lines: readonly string[]): JSX.Element {
  const broken = lines.flatMap((line, index) => (index === 0 ? [line] : [h('br', null), line]));
  return h('blockquote', { class: 'note', dir: 'auto', style: STYLES.note }, broken);
}
