import { h, type JSX } from 'preact';
import type { SentenceParts } from '../words/sentence.ts';

/** Controls that turn the direction of the text after them, or end what keeps it apart (Unicode's Bidi_Control, but for its marks). */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** A name or address that somebody chose, in whatever script: it is set apart, so that nothing around it moves. */
export function Name({ name }: { name: string }): JSX.Element {
  return h('bdi', null, name.replaceAll(TURNING, ''));
}

export function Sentence({ parts }: { parts: SentenceParts }): JSX.Element {
  return h(
    'span',
    null,
    parts.map((part) => (typeof part === 'string' ? part : h(Name, part))),
  );
}
