import type { DeclinedChange, DeclinedEntries } from '../domain/declined-entries.ts';

/** Which reference data prices the next quote, each counted from 1; 0 before there is any. */
export type CurrentVersions = {
  readonly rateSheet: number;
  readonly settings: number;
  readonly carrierDirectory: number;
  readonly declinedList: number;
};

/** One insurer as it was loaded; null where a code or a rating is not on file. */
export type StoredCarrier = {
  readonly name: string;
  readonly naicCode: string | null;
  readonly amBestId: string | null;
  readonly rating: string | null;
};

/** What a version of the coverage list says of prices. */
export type CoverageList = { readonly version: string; readonly verifyMinimumEarned: readonly string[] };

/** Who makes a change; written to the audit log together with it. */
export type Actor = string;

/**
 * Every version of the reference data, kept for ever. Reads give null for a version that is not on file, and
 * SERVICE_UNAVAILABLE where the database is away. A change makes the next version, current from its commit on, and its
 * audit row, or neither.
 */
export type PricingStore = {
  readCurrentVersions(): Promise<CurrentVersions>;
  /** The JSON text as it was loaded. */
  readRateSheet(version: number): Promise<string | null>;
  /** The JSON text as it was set. */
  readSettings(version: number): Promise<string | null>;
  readCarriers(version: number): Promise<readonly StoredCarrier[] | null>;
  readDeclined(version: number): Promise<DeclinedEntries | null>;
  readCoverageList(version: string): Promise<CoverageList | null>;

  addRateSheet(sheet: { readonly json: string; readonly asOf: string }, actor: Actor): Promise<number>;
  addSettings(json: string, actor: Actor): Promise<number>;
  addCarriers(carriers: readonly StoredCarrier[], actor: Actor): Promise<number>;
  /** Makes no new version where the entry is listed already; NOT_FOUND where one to remove is not. */
  changeDeclined(change: DeclinedChange, actor: Actor): Promise<{ version: number; entries: DeclinedEntries }>;

  /** Sets the settings that a fresh database begins with; does nothing where there are any. */
  recordFirstSettings(json: string, actor: Actor): Promise<void>;
  /** Writes the list down, or finds that it is. Throws where the same version said something else before. */
  recordCoverageList(list: CoverageList): Promise<void>;
};
