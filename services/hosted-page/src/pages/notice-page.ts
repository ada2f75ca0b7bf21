import { h, type JSX } from 'preact';
import type { Words } from '../words/en.ts';
import { WORDS } from '../words/words.ts';
import { Document } from './document.ts';
import type { Frame, Page, TryAgain } from './page.ts';

type NoticePageOf = Exclude<Page, { quote: unknown }>;

/** A page without a quote: it says what is the matter and what to do, and nothing of any quote. */
export function NoticePage({ page, frame }: { page: NoticePageOf; frame: Frame }): JSX.Element {
  const words = WORDS[frame.language];
  const { heading, text } = noticeFor(page, words);
  const tryAgain = 'tryAgain' in page ? page.tryAgain : null;
  return h(
    Document,
    { frame, quote: null, mode: page.kind === 'replaced' ? page.mode : null, title: heading },
    h(
      'div',
      { class: 'notice' },
      h('h1', null, heading),
      h('p', { class: 'lead' }, text),
      page.kind === 'failed' && h('p', null, h('code', null, page.requestId)),
      tryAgain?.kind === 'link' && h(OpenAgain, { words, path: tryAgain.path }),
      tryAgain?.kind === 'form' && h(SendAgain, { words, page, again: tryAgain }),
    ),
  );
}

function OpenAgain({ words, path }: { words: Words; path: string }): JSX.Element {
  return h('p', { class: 'controls' }, h('a', { class: 'button', href: path }, words.notices.tryAgain));
}

type SendAgainProps = {
  readonly words: Words;
  readonly page: NoticePageOf;
  readonly again: Extract<TryAgain, { kind: 'form' }>;
};

/** A response that could not even be looked at waits in hidden fields, so that sending it again needs no second writing. */
function SendAgain({ words, page, again: { path, fields } }: SendAgainProps): JSX.Element {
  return h(
    'form',
    { method: 'post', action: path },
    h('p', null, page.kind === 'failed' ? words.problems.unknownOutcome : words.notices.kept),
    [...fields].map(([name, value]) => h('input', { type: 'hidden', name, value })),
    h('p', { class: 'controls' }, h('button', null, words.notices.sendAgain)),
  );
}

function noticeFor(page: NoticePageOf, { notices }: Words): { heading: string; text: string } {
  switch (page.kind) {
    case 'replaced':
      return notices.replaced;
    case 'unknown':
      return notices.unknown;
    case 'foreign-form':
      return notices.foreignForm;
    case 'too-many': {
      const minutes = Math.max(1, Math.ceil(page.retryAfterSeconds / 60));
      return { heading: notices.tooMany.heading, text: notices.tooMany.text(minutes) };
    }
    case 'too-large':
      return notices.tooLarge;
    case 'unavailable':
      return notices.unavailable;
    case 'failed':
      return notices.failed;
  }
}
