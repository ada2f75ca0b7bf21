import { en, type Words } from './en.ts';
import { es } from './es.ts';

export type Language = 'en' | 'es';

export const WORDS: Readonly<Record<Language, Words>> = { en, es };

/** The sentences for public codes, each once; those that came later than this page share the one for `other`. */
export function sentencesFor(
  codes: readonly string[],
  sentences: Readonly<Record<string, string>> & { readonly other: string },
): readonly string[] {
  return [
    ...new Set(codes.map((code) => (Object.hasOwn(sentences, code) ? sentences[code] : null) ?? sentences.other)),
  ];
}
