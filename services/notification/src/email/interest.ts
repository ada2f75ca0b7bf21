/** What the broker is told of: an insured's response to a quote. Money is decimal US dollars with two places. */
export type Interest = {
  readonly quoteId: string;
  /** The agency's own id for the quote. */
  readonly clientReferenceId: string | null;
  /** Names are null where the quote is older than their keeping. */
  readonly insuredName: string | null;
  readonly agencyName: string | null;
  readonly brokerName: string | null;
  readonly option: {
    readonly optionId: string;
    readonly downPaymentBasisPoints: number;
    readonly termMonths: number;
    readonly aprBasisPoints: number;
    readonly downPayment: string;
    readonly amountFinanced: string;
    readonly monthlyPayment: string;
    readonly financeCharge: string;
    readonly totalOfPayments: string;
    readonly totalCost: string;
  };
  readonly note: string | null;
  readonly submittedAt: Date;
};
