import { normalizeCarrierName, type CarrierEntry } from './carriers.ts';
import { refuseIfAny, type Problems } from './problems.ts';

/** What the lender will not finance, by the operator's decision. */
export type DeclinedList = { readonly issuers: ReadonlySet<string>; readonly coverages: ReadonlySet<string> };

/**
 * `issuers` are carrier names in any spelling; `coverages` are coverage types.
 * Throws VALIDATION_FAILED for an issuer without a letter or digit: it could name no one.
 */
export function buildDeclinedList(list: { issuers: readonly string[]; coverages: readonly string[] }): DeclinedList {
  const issuers = list.issuers.map(normalizeCarrierName);
  const problems: Problems = issuers.flatMap((issuer, index) => {
    if (issuer !== '') return [];
    const param = `issuers[${index}]`;
    return [{ code: 'INVALID_VALUE', param, message: `${param} must be a carrier's name.` }];
  });
  refuseIfAny(problems);
  return { issuers: new Set(issuers), coverages: new Set(list.coverages) };
}

/** `found` is the directory's entry for the carrier, null where it has none; `name` is what the caller sent. */
export function isIssuerDeclined(
  declined: DeclinedList,
  carrier: { name: string; found: CarrierEntry | null },
): boolean {
  const { issuers } = declined;
  if (issuers.size === 0) return false;
  if (issuers.has(normalizeCarrierName(carrier.name))) return true;
  return carrier.found !== null && issuers.has(normalizeCarrierName(carrier.found.name));
}
