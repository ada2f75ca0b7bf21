import { h, type JSX } from 'preact';
import type { Words } from '../words/en.ts';
import { sentencesFor, WORDS } from '../words/words.ts';
import { Document } from './document.ts';
import type { Frame, Page } from './page.ts';
import { EstimateNotice, Fact, Financed, Moment, Parties } from './parties.ts';

type ClosedPageOf = Extract<Page, { kind: 'expired' | 'ineligible' }>;

/** A quote that offers no option: its time is over, or its insurance cannot be financed. */
export function ClosedPage({ page: { kind, quote }, frame }: { page: ClosedPageOf; frame: Frame }): JSX.Element {
  const words = WORDS[frame.language];
  const { heading, lead } = words[kind];
  const ending = kind === 'expired' ? words.expired.until : words.parties.valid;
  return h(
    Document,
    { frame, quote, title: heading },
    h('p', { class: 'kicker' }, words.title),
    h('h1', null, heading),
    h('p', { class: 'lead' }, lead),
    kind === 'ineligible' && h(Reasons, { words, codes: quote.ineligibleBecause }),
    h(
      'div',
      { class: 'opening' },
      h(Parties, { words, quote }, h(Fact, { name: ending }, h(Moment, { words, at: quote.expiresAt }))),
      h(Financed, { words, quote, heading: words.ineligible.quoted }),
      h(EstimateNotice, { words }),
    ),
  );
}

function Reasons({ words: { ineligible }, codes }: { words: Words; codes: readonly string[] }): JSX.Element[] {
  return [
    h(
      'ul',
      { class: 'reasons' },
      sentencesFor(codes, ineligible.reasons).map((sentence) => h('li', null, sentence)),
    ),
    h('p', null, ineligible.next),
  ];
}
