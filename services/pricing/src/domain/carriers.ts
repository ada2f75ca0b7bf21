import { AM_BEST_RATINGS, isAmBestRating, type AmBestRating } from './am-best.ts';
import type { CarrierReference } from './deal.ts';
import { refuseIfAny, type Problems } from './problems.ts';

/** One insurer. A null rating means that none is on file, which is not the rating NR. */
export type CarrierEntry = {
  readonly name: string;
  readonly naicCode: string | null;
  readonly amBestId: string | null;
  readonly rating: AmBestRating | null;
};

/** The insurers whose ratings are known, ready to be looked up by any of their keys. */
export type CarrierDirectory = {
  readonly entries: readonly CarrierEntry[];
  readonly byAmBestId: ReadonlyMap<string, CarrierEntry>;
  readonly byNaicCode: ReadonlyMap<string, CarrierEntry>;
  /** Null where two carriers share the name: it then tells nothing. */
  readonly byName: ReadonlyMap<string, CarrierEntry | null>;
};

type UncheckedEntry = { name: string; naicCode: string | null; amBestId: string | null; rating: string | null };

const NAIC_CODE = /^\d{5}$/;

/**
 * Builds the directory; blank codes and ratings count as absent.
 * Throws VALIDATION_FAILED with every problem, `param` such as `carriers[3].naic_code`.
 */
export function buildCarrierDirectory(unchecked: readonly UncheckedEntry[]): CarrierDirectory {
  const problems: Problems = [];
  const entries = unchecked.map((entry, index) => checkEntry(entry, { param: `carriers[${index}]`, problems }));
  const byAmBestId = indexByCode(entries, { field: 'am_best_id', codeOf: (entry) => entry.amBestId, problems });
  const byNaicCode = indexByCode(entries, { field: 'naic_code', codeOf: (entry) => entry.naicCode, problems });
  refuseIfAny(problems);
  return { entries, byAmBestId, byNaicCode, byName: indexByName(entries) };
}

/** Finds a carrier by AM Best id, then NAIC code, then name; a key that finds nothing falls through. Null for none. */
export function findCarrier(directory: CarrierDirectory, carrier: CarrierReference): CarrierEntry | null {
  return (
    directory.byAmBestId.get(carrier.amBestId?.trim() ?? '') ??
    directory.byNaicCode.get(carrier.naicCode?.trim() ?? '') ??
    directory.byName.get(normalizeCarrierName(carrier.name)) ??
    null
  );
}

/** Every carrier whose name contains `name`, whatever its case and punctuation, in the directory's order. */
export function findCarriers(directory: CarrierDirectory, name: string): readonly CarrierEntry[] {
  const wanted = normalizeCarrierName(name);
  return directory.entries.filter((entry) => normalizeCarrierName(entry.name).includes(wanted));
}

/** The form in which names match: NFKC, without case and punctuation, "&" read as "and", single spaces. */
export function normalizeCarrierName(name: string): string {
  return (
    name
      .normalize('NFKC')
      // Full case folding: "ẞ" and "ß" are "ss", and a sigma is the same wherever it stands.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll('&', ' and ')
      .replaceAll(/\p{Punctuation}/gu, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

function checkEntry(entry: UncheckedEntry, { param, problems }: { param: string; problems: Problems }): CarrierEntry {
  const naicCode = blankToNull(entry.naicCode);
  const rating = blankToNull(entry.rating);
  if (normalizeCarrierName(entry.name) === '') {
    problems.push({ code: 'REQUIRED', param: `${param}.name`, message: `${param}.name must name the carrier.` });
  }
  if (naicCode !== null && !NAIC_CODE.test(naicCode)) {
    const message = `${param}.naic_code is "${naicCode}", but must be 5 digits.`;
    problems.push({ code: 'INVALID_FORMAT', param: `${param}.naic_code`, message });
  }
  if (rating !== null && !isAmBestRating(rating)) {
    const message = `${param}.rating is "${rating}", but must be empty or one of ${AM_BEST_RATINGS.join(', ')}.`;
    problems.push({ code: 'INVALID_VALUE', param: `${param}.rating`, message });
  }
  return {
    name: entry.name.trim(),
    naicCode,
    amBestId: blankToNull(entry.amBestId),
    rating: rating !== null && isAmBestRating(rating) ? rating : null,
  };
}

type CodeIndex = { field: string; codeOf: (entry: CarrierEntry) => string | null; problems: Problems };

function indexByCode(entries: readonly CarrierEntry[], { field, codeOf, problems }: CodeIndex) {
  const index = new Map<string, CarrierEntry>();
  for (const [position, entry] of entries.entries()) {
    const code = codeOf(entry);
    const holder = code === null ? undefined : index.get(code);
    if (holder !== undefined) {
      const param = `carriers[${position}].${field}`;
      const message = `${param} is "${code}", which "${holder.name}" has already. Keep it with one carrier.`;
      problems.push({ code: 'INVALID_VALUE', param, message });
    }
    if (code !== null) index.set(code, entry);
  }
  return index;
}

function indexByName(entries: readonly CarrierEntry[]): ReadonlyMap<string, CarrierEntry | null> {
  const index = new Map<string, CarrierEntry | null>();
  for (const entry of entries) {
    const name = normalizeCarrierName(entry.name);
    index.set(name, index.has(name) ? null : entry);
  }
  return index;
}

function blankToNull(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
