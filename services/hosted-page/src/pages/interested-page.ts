import { h, type JSX } from 'preact';
import type { Interest, Quote } from '../domain/quote.ts';
import type { Words } from '../words/en.ts';
import { WORDS } from '../words/words.ts';
import { Disclosure } from './disclosure.ts';
import { Document } from './document.ts';
import { formatShare } from './format.ts';
import { Sentence } from './name.ts';
import type { AfterSending, Frame, Page } from './page.ts';
import { callBroker, EstimateNotice, Fact, Moment, Parties } from './parties.ts';

type InterestedPageOf = Extract<Page, { kind: 'interested' }>;

/** The one response of a quote: what was chosen, when, with which note, and what comes of it. */
export function InterestedPage({ page, frame }: { page: InterestedPageOf; frame: Frame }): JSX.Element {
  const { quote, after } = page;
  const words = WORDS[frame.language];
  const { heading, lead } = openingFor(after, words);
  return h(
    Document,
    { frame, quote, title: heading },
    h('p', { class: 'kicker' }, words.title),
    h('h1', null, heading),
    h('p', { class: 'lead' }, lead),
    after !== null && h(NextSteps, { words, quote }),
    quote.interest !== null && h(Response, { words, quote, interest: quote.interest }),
    h(EstimateNotice, { words }),
    after === null && h(NextSteps, { words, quote }),
  );
}

function openingFor(after: AfterSending | null, { interested }: Words): { heading: string; lead: string } {
  switch (after) {
    case 'sent':
      return { heading: interested.sentHeading, lead: interested.lead };
    case 'sent-before':
      return { heading: interested.sentBeforeHeading, lead: interested.sentBefore };
    case 'sent-another':
      return { heading: interested.sentBeforeHeading, lead: interested.sentAnother };
    case null:
      return { heading: interested.heading, lead: interested.lead };
  }
}

function NextSteps({ words, quote }: { words: Words; quote: Quote }): JSX.Element {
  const { next, steps, stepsInTest } = words.interested;
  const shown = quote.mode === 'test' ? stepsInTest.map((step) => [step]) : steps(callBroker(quote.broker));
  return h(
    'section',
    { class: 'sheet', 'aria-labelledby': 'next' },
    h('h2', { id: 'next' }, next),
    h(
      'ol',
      null,
      shown.map((parts) => h('li', null, h(Sentence, { parts }))),
    ),
  );
}

function Response({ words, quote, interest }: { words: Words; quote: Quote; interest: Interest }): JSX.Element {
  const { chosen, when, note, noNote } = words.interested;
  const { option } = interest;
  return h(
    'section',
    { 'aria-labelledby': 'chosen' },
    h('h2', { id: 'chosen' }, chosen),
    h('p', { class: 'choice' }, words.option({ share: formatShare(option.downPaymentRate), count: option.termMonths })),
    h(Disclosure, { words, option }),
    h(
      Parties,
      { words, quote },
      h(Fact, { name: when }, h(Moment, { words, at: interest.submittedAt })),
      h(Fact, { name: note }, interest.note === null ? noNote : h('span', { class: 'note' }, interest.note)),
    ),
  );
}
