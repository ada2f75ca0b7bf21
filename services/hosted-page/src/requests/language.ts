import type { Request } from 'express';
import type { Language } from '../words/words.ts';

/** The language of a tag, spelled as our own pages do; null for any other. */
export function readLanguage(tag: string | null | undefined): Language | null {
  return tag === 'en' || tag === 'es' ? tag : null;
}

/** By `Accept-Language`; English where it names neither. */
export function preferredLanguage(request: Request): Language {
  return readLanguage(request.acceptsLanguages(['en', 'es']) || null) ?? 'en';
}
