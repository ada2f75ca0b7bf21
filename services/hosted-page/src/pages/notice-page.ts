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
  return h(
    Document,
    { frame, quote: null, title: heading },
    h(
      'div',
      { class: 'notice' },
      h('h1', null, heading),
      h('p', { class: 'lead' }, text),
      page.kind === 'failed' && h('p', null, h('code', null, page.requestId)),
      page.kind === 'unavailable' && page.tryAgain !== null && tryAgain(page.tryAgain, words),
    ),
  );
}

/** A response that could not even be looked at waits in hidden fields, so that sending it again needs no second writing. */
function tryAgain(again: TryAgain, { notices }: Words): JSX.Element {
  if (again.kind === 'link') {
    return h('p', { class: 'controls' }, h('a', { class: 'button', href: again.path }, notices.tryAgain));
  }
  const fields = [...again.fields].map(([name, value]) => h('input', { type: 'hidden', name, value }));
  const button = h('p', { class: 'controls' }, h('button', { class: 'button' }, notices.tryAgain));
  return h('form', { method: 'post', action: again.path }, fields, button);
}

function noticeFor(page: NoticePageOf, { notices, problems }: Words): { heading: string; text: string } {
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
      return page.tryAgain?.kind === 'form'
        ? { heading: notices.unavailable.heading, text: problems.unavailable }
        : notices.unavailable;
    case 'failed':
      return notices.failed;
  }
}
