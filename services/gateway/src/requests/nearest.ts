import { distance } from 'fastest-levenshtein';

const MAX_EDITS = 2;

/** The candidate that `text` was likely meant to be: at most two edits away, letter case aside; the first one of equals. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewestEdits = MAX_EDITS + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) > MAX_EDITS) continue;
    const edits = distance(candidate.toLowerCase(), text.toLowerCase());
    if (edits >= fewestEdits) continue;
    best = candidate;
    fewestEdits = edits;
  }
  return best;
}

/** The end of a message: ` Did you mean "premium"?`, or nothing where nothing is near. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const candidate = nearest(text, candidates);
  return candidate === undefined ? '' : ` Did you mean "${candidate}"?`;
}
