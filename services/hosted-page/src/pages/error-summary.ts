import { h, type JSX } from 'preact';
import type { Words } from '../words/en.ts';

export type Problem = {
  readonly text: string;
  /** Id of the field to mend; null where none is wrong. */
  readonly field: string | null;
};

/** What is wrong, at the top of the page, where the reader is taken to without a script. */
export function ErrorSummary({ words, problem: { text, field } }: { words: Words; problem: Problem }): JSX.Element {
  return h(
    'div',
    { class: 'errors', role: 'alert', tabindex: -1, autofocus: true },
    h('h2', null, words.problems.heading),
    h('p', null, field === null ? text : h('a', { href: `#${field}` }, text)),
  );
}
