import { h, type JSX } from 'preact';
import { MAX_NOTE_LENGTH } from '../domain/note.ts';
import type { Words } from '../words/en.ts';
import type { SentenceParts } from '../words/sentence.ts';
import { WORDS } from '../words/words.ts';
import { Disclosure } from './disclosure.ts';
import { Document } from './document.ts';
import { ErrorSummary, type Problem } from './error-summary.ts';
import { formatShare } from './format.ts';
import { anchorOf } from './option-tables.ts';
import { Name, Sentence } from './name.ts';
import type { FilledIn, Frame, Page } from './page.ts';
import { callBroker, EstimateNotice } from './parties.ts';

type ReviewPageOf = Extract<Page, { kind: 'review' }>;

/** The chosen option once more, and the one form that sends something: only a checked box lets it. */
export function ReviewPage({ page, frame }: { page: ReviewPageOf; frame: Frame }): JSX.Element {
  const { quote, paths, option, filledIn } = page;
  const words = WORDS[frame.language];
  const problem = filledIn === null ? null : describe(filledIn, words);
  const hasProblem = problem !== null;
  return h(
    Document,
    { frame, quote, title: words.review.heading, hasProblem, countsNote: true },
    problem !== null && h(ErrorSummary, { words, problem }),
    h(
      'p',
      { class: 'back' },
      h('a', { href: `${paths.quote}?lang=${words.tag}#${anchorOf(option)}` }, words.review.back),
    ),
    h('h1', null, words.review.heading),
    quote.insuredName !== null && h('p', { class: 'lead' }, h(Name, { name: quote.insuredName })),
    h('h2', null, words.option({ share: formatShare(option.downPaymentRate), count: option.termMonths })),
    h(Disclosure, { words, option }),
    h(EstimateNotice, { words }),
    h(ResponseForm, { words, page, problem }),
  );
}

function ResponseForm({
  words,
  page,
  problem,
}: {
  words: Words;
  page: ReviewPageOf;
  problem: Problem | null;
}): JSX.Element {
  const { quote, paths, option, nonce, filledIn } = page;
  const { review } = words;
  const hidden = { nonce, option: option.id };
  const consent = review.confirm({
    broker: callBroker(quote.broker),
    agency: quote.agencyName,
    insured: quote.insuredName,
  });
  return h(
    'form',
    // What is wrong is told by the page, in its language, rather than by the browser.
    {
      class: 'sheet respond',
      method: 'post',
      action: paths.interest,
      novalidate: true,
      autocomplete: 'off',
      'aria-labelledby': 'tell',
    },
    h('h2', { id: 'tell' }, review.tell),
    Object.entries(hidden).map(([name, value]) => h('input', { type: 'hidden', name, value })),
    h(Note, { words, typed: filledIn?.note ?? '', problem: problem?.field === 'note' ? problem : null }),
    h(Confirmation, { consent, problem: problem?.field === 'confirmed' ? problem : null }),
    h(
      'p',
      { id: 'sent' },
      quote.mode === 'test' ? review.whatIsSentInTest : review.whatIsSent,
      ' ',
      review.nothingSigned,
    ),
    h('p', { class: 'controls' }, h('button', null, review.send)),
  );
}

/** Has no greatest length, because a browser would cut what is pasted without a word. */
function Note({ words, typed, problem }: { words: Words; typed: string; problem: Problem | null }): JSX.Element {
  const { note, hint, counted, overlong } = words.review;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: 'note' }, note),
    h('p', { id: 'hint', class: 'hint' }, hint(MAX_NOTE_LENGTH)),
    problem !== null && h('p', { id: 'note-problem', class: 'problem' }, problem.text),
    h(
      'textarea',
      { id: 'note', name: 'note', rows: 4, ...describedBy(problem, ['hint', 'note-problem', 'count']) },
      // A browser drops a line break that the field begins with, so one is given away.
      `\n${typed}`,
    ),
    h('p', {
      id: 'count',
      class: 'count',
      hidden: true,
      'data-most': MAX_NOTE_LENGTH,
      'data-counted': counted(MAX_NOTE_LENGTH),
      'data-overlong': overlong(MAX_NOTE_LENGTH),
    }),
  );
}

function Confirmation({ consent, problem }: { consent: SentenceParts; problem: Problem | null }): JSX.Element {
  return h(
    'div',
    { class: 'field' },
    problem !== null && h('p', { id: 'confirmed-problem', class: 'problem' }, problem.text),
    h(
      'label',
      { class: 'check', for: 'confirmed' },
      h('input', {
        type: 'checkbox',
        id: 'confirmed',
        name: 'confirmed',
        value: 'yes',
        required: true,
        ...describedBy(problem, ['confirmed-problem', 'sent']),
      }),
      h(Sentence, { parts: consent }),
    ),
  );
}

function describedBy(
  problem: Problem | null,
  ids: readonly string[],
): { 'aria-describedby': string; 'aria-invalid'?: true } {
  const shown = ids.filter((id) => problem !== null || !id.endsWith('-problem'));
  return { 'aria-describedby': shown.join(' '), ...(problem === null ? {} : { 'aria-invalid': true }) };
}

function describe({ problem }: FilledIn, { problems }: Words): Problem {
  switch (problem.kind) {
    case 'not-confirmed':
      return { text: problems.notConfirmed, field: 'confirmed' };
    case 'note-too-long':
      return { text: problems.noteTooLong({ length: problem.length, most: MAX_NOTE_LENGTH }), field: 'note' };
    case 'note-unreadable':
      return { text: problems.noteUnreadable, field: 'note' };
    case 'form-outdated':
      return { text: problems.formOutdated, field: null };
    case 'unavailable':
      return { text: problems.unavailable, field: null };
    case 'unknown-outcome':
      return { text: problems.unknownOutcome, field: null };
  }
}
