/** Decimal US dollars with two places, the very text that the API gives: `14568.75`. */
export type MoneyText = string;

/** A fraction in the very digits that the API gives: `0.1692` is 16.92 %. */
export type FractionText = string;

/** A way to pay: down payment now, the rest in level monthly payments. */
export type Option = {
  readonly id: string;
  readonly downPaymentRate: FractionText;
  readonly termMonths: number;
  readonly apr: FractionText;
  readonly downPayment: MoneyText;
  readonly amountFinanced: MoneyText;
  readonly monthlyPayment: MoneyText;
  readonly financeCharge: MoneyText;
  readonly totalOfPayments: MoneyText;
  readonly totalCost: MoneyText;
};

/** The insured's one response. */
export type Interest = { readonly option: Option; readonly note: string | null; readonly submittedAt: Date };

/** A quote as far as the insured is shown it. Names are null where the quote is older than their keeping. */
export type Quote = {
  readonly mode: 'live' | 'test';
  readonly status: 'active' | 'interested' | 'expired';
  readonly insuredName: string | null;
  readonly agencyName: string | null;
  readonly broker: { readonly name: string | null; readonly email: string };
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly premium: MoneyText;
  readonly taxesAndFees: MoneyText;
  readonly total: MoneyText;
  /** First day of financing, YYYY-MM-DD. */
  readonly financingStartDate: string;
  readonly policies: readonly { readonly carrierName: string; readonly total: MoneyText }[];
  /** Public codes of what keeps it from being financed; empty where it can be. */
  readonly ineligibleBecause: readonly string[];
  /** Public codes of what was taken for granted, and of what to look at again; each once. */
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
  /** In the API's order; empty where it cannot be financed. */
  readonly options: readonly Option[];
  /** One of the options, shown first; not advice. */
  readonly recommended: Option | null;
  readonly interest: Interest | null;
};
