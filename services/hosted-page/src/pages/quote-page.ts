import { h, type JSX } from 'preact';
import type { Option, Quote } from '../domain/quote.ts';
import type { Words } from '../words/en.ts';
import { sentencesFor, WORDS } from '../words/words.ts';
import { Charts } from './chart.ts';
import { Disclosure } from './disclosure.ts';
import { Document } from './document.ts';
import { ErrorSummary } from './error-summary.ts';
import { formatShare } from './format.ts';
import { anchorOf, OptionTables } from './option-tables.ts';
import type { Frame, Page } from './page.ts';
import { EstimateNotice, Fact, Financed, Moment, Parties } from './parties.ts';

type Props = { readonly page: Extract<Page, { kind: 'quote' }>; readonly frame: Frame };

/** All options to choose from, none of them chosen. */
export function QuotePage({ page: { quote, paths, problem }, frame }: Props): JSX.Element {
  const words = WORDS[frame.language];
  const { options, recommended } = quote;
  const hasProblem = problem !== null;
  const [first] = options;
  return h(
    Document,
    { frame, quote, title: null, hasProblem },
    hasProblem &&
      h(ErrorSummary, {
        words,
        problem: { text: words.quote.noChoice, field: first === undefined ? null : anchorOf(first) },
      }),
    h(Opening, { words, quote }),
    recommended !== null && h(ShownFirst, { words, option: recommended, review: paths.review }),
    h(
      'form',
      { method: 'get', action: paths.review, 'aria-labelledby': 'compare' },
      h('h2', { id: 'compare' }, words.quote.compare(options.length)),
      h('p', null, words.quote.comparing),
      options.length > 1 && h(Charts, { words, options, recommended }),
      h(OptionTables, { words, options, recommended }),
      h('input', { type: 'hidden', name: 'lang', value: frame.language }),
      h('p', { class: 'send' }, h('button', null, words.quote.review), ' ', h('small', null, words.quote.nothingSent)),
    ),
    h(Remarks, { words, codes: [...quote.assumptions, ...quote.warnings] }),
  );
}

function Opening({ words, quote }: { words: Words; quote: Quote }): JSX.Element {
  return h(
    'div',
    { class: 'opening' },
    h(
      'div',
      null,
      h('p', { class: 'kicker' }, words.title),
      h('h1', null, words.quote.heading),
      h('p', { class: 'lead' }, words.quote.lead),
      h(
        Parties,
        { words, quote },
        h(Fact, { name: words.parties.start }, words.dates.day(quote.financingStartDate)),
        h(Fact, { name: words.parties.valid }, h(Moment, { words, at: quote.expiresAt })),
      ),
    ),
    h(Financed, { words, quote, heading: words.financed.heading }),
    h(EstimateNotice, { words }),
  );
}

/** Leads straight to its review; its radio stands with the others. */
function ShownFirst({ words, option, review }: { words: Words; option: Option; review: string }): JSX.Element {
  const query = new URLSearchParams({ option: option.id, lang: words.tag });
  return h(
    'section',
    { class: 'first', 'aria-labelledby': 'first' },
    h('p', { class: 'tag' }, words.quote.notAdvice),
    h('h2', { id: 'first' }, words.option({ share: formatShare(option.downPaymentRate), count: option.termMonths })),
    h(Disclosure, { words, option }),
    h('p', { class: 'controls' }, h('a', { class: 'button', href: `${review}?${query}` }, words.quote.chooseThis)),
  );
}

function Remarks({ words, codes }: { words: Words; codes: readonly string[] }): JSX.Element | null {
  if (codes.length === 0) return null;
  const { heading, lead, ...sentences } = words.remarks;
  return h(
    'section',
    { 'aria-labelledby': 'remarks' },
    h('h2', { id: 'remarks' }, heading),
    h('p', null, lead),
    h(
      'ul',
      null,
      sentencesFor(codes, sentences).map((sentence) => h('li', null, sentence)),
    ),
  );
}
