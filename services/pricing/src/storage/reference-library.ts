import { ServiceError } from '@pfq/kit/errors';
import { buildCarrierDirectory } from '../domain/carriers.ts';
import type { CarrierDirectory } from '../domain/carriers.ts';
import { buildDeclinedList } from '../domain/declined.ts';
import { isRateSheetTooOld, parseRateSheet } from '../domain/rate-sheet.ts';
import type { ReferenceData } from '../domain/reference.ts';
import { parseSettings } from '../domain/settings-text.ts';
import type { CoverageList, CurrentVersions, PricingStore } from './store.ts';
import { cacheVersions } from './version-cache.ts';

/** The versions that a price rests on, besides the engine's. */
export type ReferenceVersions = CurrentVersions & { readonly coverageList: string };

/** The part of the reference data that ages, and what says how old it may be. */
export type PricingRules = Pick<ReferenceData, 'rateSheet' | 'settings'>;

/** The reference data of any version, read once and kept in memory. */
export type ReferenceLibrary = {
  /**
   * What prices a deal now. SERVICE_UNAVAILABLE, with the reason as its cause, where prices cannot be had: no rate
   * sheet, one too old at `pricedAtMs` (UTC), settings that cannot be used, or the database away.
   */
  current(pricedAtMs: number): Promise<{ readonly reference: ReferenceData; readonly versions: ReferenceVersions }>;
  /** What priced a deal before. NOT_FOUND where a version is not on file. */
  recorded(versions: ReferenceVersions): Promise<ReferenceData>;
  /** What new prices would rest on, whatever its age; null before there is any. */
  currentRules(): Promise<PricingRules | null>;
  /** The current carrier directory. */
  carriers(): Promise<CarrierDirectory>;
};

/** Texts of a few kilobytes and what is parsed from them. */
const SMALL_VERSIONS_KEPT = 32;
/** A directory may list every insurer of the country. */
const DIRECTORIES_KEPT = 4;

const EMPTY_DIRECTORY = buildCarrierDirectory([]);
const NOTHING_DECLINED = buildDeclinedList({ issuers: [], coverages: [] });

/** `coverageList` is the version of the coverage list that new prices are recorded under. */
export function openReferenceLibrary(store: PricingStore, coverageList: string): ReferenceLibrary {
  const rateSheet = cacheVersions(SMALL_VERSIONS_KEPT, async (version: number) =>
    readUsable(`rate sheet ${version}`, { stored: await store.readRateSheet(version), parse: parseRateSheet }),
  );
  const settings = cacheVersions(SMALL_VERSIONS_KEPT, async (version: number) =>
    readUsable(`pricing settings ${version}`, { stored: await store.readSettings(version), parse: parseSettings }),
  );
  const directory = cacheVersions(DIRECTORIES_KEPT, async (version: number) =>
    readUsable(`carrier directory ${version}`, {
      stored: await store.readCarriers(version),
      parse: buildCarrierDirectory,
    }),
  );
  const declined = cacheVersions(SMALL_VERSIONS_KEPT, async (version: number) =>
    readUsable(`declined list ${version}`, { stored: await store.readDeclined(version), parse: buildDeclinedList }),
  );
  const flaggedCoverages = cacheVersions(SMALL_VERSIONS_KEPT, async (version: string) =>
    readUsable(`coverage list ${version}`, { stored: await store.readCoverageList(version), parse: toFlagged }),
  );

  async function recorded(versions: ReferenceVersions): Promise<ReferenceData> {
    const [sheet, rules, carriers, declinedList, verifyMinimumEarnedCoverages] = await Promise.all([
      rateSheet(versions.rateSheet),
      settings(versions.settings),
      versions.carrierDirectory === 0 ? EMPTY_DIRECTORY : directory(versions.carrierDirectory),
      versions.declinedList === 0 ? NOTHING_DECLINED : declined(versions.declinedList),
      flaggedCoverages(versions.coverageList),
    ]);
    return { rateSheet: sheet, settings: rules, carriers, declined: declinedList, verifyMinimumEarnedCoverages };
  }

  return {
    recorded,
    async current(pricedAtMs) {
      const versions = { ...(await store.readCurrentVersions()), coverageList };
      if (versions.rateSheet === 0) throw noPrices(new Error('no rate sheet has been loaded'));
      if (versions.settings === 0) throw noPrices(new Error('there are no pricing settings'));
      const reference = await recorded(versions);
      const maxDays = reference.settings.rateSheetMaxAgeDays;
      if (isRateSheetTooOld(reference.rateSheet, { maxDays, nowMs: pricedAtMs })) {
        const { asOf } = reference.rateSheet;
        throw noPrices(new Error(`rate sheet ${versions.rateSheet} of ${asOf} is more than ${maxDays} days old`));
      }
      return { reference, versions };
    },
    async currentRules() {
      const versions = await store.readCurrentVersions();
      if (versions.rateSheet === 0 || versions.settings === 0) return null;
      const [sheet, rules] = await Promise.all([rateSheet(versions.rateSheet), settings(versions.settings)]);
      return { rateSheet: sheet, settings: rules };
    },
    async carriers() {
      const { carrierDirectory } = await store.readCurrentVersions();
      return carrierDirectory === 0 ? EMPTY_DIRECTORY : directory(carrierDirectory);
    },
  };
}

function toFlagged({ verifyMinimumEarned }: CoverageList): ReadonlySet<string> {
  return new Set(verifyMinimumEarned);
}

type OnFile<Stored, T> = { readonly stored: Stored | null; readonly parse: (stored: Stored) => T };

/** What is on file was checked when it was loaded; where it cannot be used any more, nothing can be priced from it. */
function readUsable<Stored, T>(name: string, { stored, parse }: OnFile<Stored, T>): T {
  if (stored === null) throw new ServiceError('NOT_FOUND', { message: `There is no ${name} on file.` });
  try {
    return parse(stored);
  } catch (error) {
    const problems = error instanceof ServiceError ? error.details.map(({ message }) => message) : [];
    throw noPrices(new Error([`the ${name} on file cannot be used`, ...problems].join(' / '), { cause: error }));
  }
}

function noPrices(cause: Error): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    message: 'Prices cannot be had right now and nothing was stored. Retry after 30 seconds.',
    retryAfterSeconds: 30,
    cause,
  });
}
