import type { Cents } from '@pfq/kit/money';

/**
 * What one quote is priced from. The request was validated before: dates are real, premiums above zero, at least one
 * policy, and no minimum earned below zero or above the premium.
 */
export type Deal = {
  /** The UTC date of the request, `YYYY-MM-DD`. */
  readonly today: string;
  readonly insured: Insured;
  readonly policies: readonly Policy[];
};

export type Insured = {
  readonly state: string;
  readonly line1: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
};

export type Policy = {
  readonly premium: Cents;
  readonly fees: readonly Fee[];
  readonly minimumEarned: MinimumEarned;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly carrier: CarrierReference;
  readonly coverages: readonly { readonly type: string }[];
  readonly auditable: boolean | null;
  readonly documentType: 'quote' | 'binder' | 'policy' | null;
  readonly policyNumber: string | null;
};

/** A tax or fee. `earned: false` comes back with the unearned premium on cancellation; null means the caller did not say. */
export type Fee = { readonly amount: Cents; readonly earned: boolean | null };

/** `rate` is the text of the JSON number as sent, so that no digit is lost before it is rounded up. */
export type MinimumEarned =
  | { readonly kind: 'rate'; readonly rate: string }
  | { readonly kind: 'amount'; readonly amount: Cents };

export type CarrierReference = {
  readonly name: string;
  readonly naicCode: string | null;
  readonly amBestId: string | null;
};
