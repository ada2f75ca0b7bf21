export const STATUSES = [
  'processing',
  'requires_information',
  'ready_for_agreement',
  'awaiting_signature',
  'pending_activation',
  'active',
  'canceled',
] as const;
export const CREATED_VIA = ['api', 'portal', 'email'] as const;
export const SELECTED_BY = ['broker', 'system'] as const;
export const CARRIER_MATCHES = ['matched', 'pending'] as const;
export const DOCUMENT_TYPES = ['quote', 'binder', 'policy'] as const;
/** What can hold an agreement back. What is owed after it has names that only the portal knows. */
export const BLOCKING_CODES = [
  'BROKER_REVIEW_REQUIRED',
  'NO_POLICIES',
  'INSURED_ADDRESS_INCOMPLETE',
  'CARRIER_UNMATCHED',
  'AGREEMENT_DECLINED',
] as const;

/** A deal carried forward in the broker portal. Money is text such as "1234.50", dates are YYYY-MM-DD, rates fractions. */
export type Application = {
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  readonly createdVia: (typeof CREATED_VIA)[number];
  readonly quoteId: string | null;
  readonly acceptedOptionId: string | null;
  /** Null until the application reaches pricing. */
  readonly pricing: Pricing | null;
  readonly insured: Insured;
  readonly brokerEmail: string;
  readonly policies: readonly Policy[];
  /** What must be done before the agreement can be sent. */
  readonly blocking: readonly Requirement<(typeof BLOCKING_CODES)[number]>[];
  /** What is owed after the agreement is executed. */
  readonly outstanding: readonly Requirement<string>[];
  readonly portalUrl: string;
  readonly clientReferenceId: string | null;
  /** The caller's own names and values, in order: an object would sort some names and lose `__proto__`. */
  readonly metadata: readonly MetadataPair[];
  readonly createdAt: Date;
};

export type Pricing = {
  /** Null where the down payment is not a whole percent. */
  readonly optionId: string | null;
  readonly downPaymentRate: number;
  readonly termMonths: number;
  readonly apr: number;
  readonly downPayment: string;
  readonly amountFinanced: string;
  readonly monthlyPayment: string;
  readonly financeCharge: string;
  readonly totalOfPayments: string;
  readonly totalCost: string;
  readonly selectedBy: (typeof SELECTED_BY)[number];
};

export type Insured = {
  readonly name: string | null;
  readonly line1: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
};

export type Policy = {
  readonly id: string;
  readonly carrierName: string | null;
  readonly carrierMatch: (typeof CARRIER_MATCHES)[number];
  readonly total: string | null;
  readonly effectiveDate: string | null;
  readonly expirationDate: string | null;
  readonly documentType: (typeof DOCUMENT_TYPES)[number] | null;
  readonly policyNumber: string | null;
};

export type Requirement<Code> = {
  readonly code: Code;
  /** Where the fix goes. */
  readonly param: string | null;
  readonly description: string;
  readonly dueBy: string | null;
};

export type MetadataPair = { readonly name: string; readonly value: string };

/** An application and whose it is. Test data is not kept here. */
export type IncomingApplication = {
  readonly agencyId: string;
  readonly livemode: true;
  readonly application: Application;
};

/** What never changes of an application that is stored: whose it is and when it was created. */
export type KnownApplication = { readonly id: string; readonly agencyId: string; readonly createdAt: Date };
