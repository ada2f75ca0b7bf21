/** A sentence in its parts, because the names in it are shown apart from its words. */
export type SentenceParts = readonly (string | { readonly name: string })[];
