import { ServiceError } from '@pfq/kit/errors';
import { normalizeCarrierName } from './carriers.ts';

/** What is declined, in the operator's own spelling and in the order added. */
export type DeclinedEntries = { readonly issuers: readonly string[]; readonly coverages: readonly string[] };

export type DeclinedChange = {
  readonly list: keyof DeclinedEntries;
  readonly value: string;
  readonly declined: boolean;
};

/** The entries after the change: the very same where the entry is listed already. NOT_FOUND where one to remove is not. */
export function applyChange(entries: DeclinedEntries, { list, value, declined }: DeclinedChange): DeclinedEntries {
  const wanted = matchingForm(list, value);
  const others = entries[list].filter((entry) => matchingForm(list, entry) !== wanted);
  const isListed = others.length < entries[list].length;
  if (declined) return isListed ? entries : { ...entries, [list]: [...entries[list], value] };
  if (!isListed) {
    const listed = entries[list].length === 0 ? 'None is.' : `Declined are: ${entries[list].join(', ')}.`;
    throw new ServiceError('NOT_FOUND', { message: `"${value}" is not among the declined ${list}. ${listed}` });
  }
  return { ...entries, [list]: others };
}

/** Issuers match as carriers do when a deal is priced; coverage types match exactly. */
function matchingForm(list: keyof DeclinedEntries, value: string): string {
  return list === 'issuers' ? normalizeCarrierName(value) : value;
}
