import { toCents } from '@pfq/kit/money';
import { buildCarrierDirectory } from './carriers.ts';
import type { Deal, Policy } from './deal.ts';
import { buildDeclinedList } from './declined.ts';
import { parseRateSheet } from './rate-sheet.ts';
import type { ReferenceData } from './reference.ts';
import type { PricingSettings } from './settings.ts';
import { refuseContradictions } from './settings-contradictions.ts';
import { DEFAULT_SETTINGS, formatSettings, parseSettings } from './settings-text.ts';

const RATED_CARRIERS = buildCarrierDirectory([
  carrier('Plains Mutual', 'A++', '90001'),
  carrier('Bluebonnet Casualty', 'A+', '90002'),
  carrier('Caprock Fire', 'A', '90003'),
  carrier('Llano Indemnity', 'A-', '90004'),
  carrier('Mesquite Surety', 'B++', '90005'),
  carrier('Ocotillo Insurance', 'NR', '90006'),
  carrier('Prairie Reinsurance', 'S', '90007'),
  carrier('Quiet Creek Assurance', null, '90008'),
]);

/** An eligible policy of 20,000.00 without fees over 2027, a quarter of it earned at once, by a carrier rated A-. */
export function makePolicy(changes: Partial<Policy> = {}): Policy {
  return {
    premium: toCents(2_000_000n),
    fees: [],
    minimumEarned: { kind: 'rate', rate: '0.25' },
    effectiveDate: '2026-12-01',
    expirationDate: '2027-12-01',
    carrier: { name: 'Llano Indemnity', naicCode: null, amBestId: null },
    coverages: [{ type: 'general_liability' }],
    auditable: true,
    documentType: 'policy',
    policyNumber: 'GL-1',
    ...changes,
  };
}

export function makeDeal(policies: readonly Policy[] = [makePolicy()], changes: Partial<Deal> = {}): Deal {
  const insured = { state: 'TX', line1: '1 Main Street', city: 'Lubbock', postalCode: '79401' };
  return { today: '2026-11-20', insured, policies, ...changes };
}

export function makeReference(changes: Partial<ReferenceData> = {}): ReferenceData {
  return {
    rateSheet: parseRateSheet('{ "as_of": "2026-11-20", "source": "test", "rates": { "1": 0.0400 } }'),
    settings: DEFAULT_SETTINGS,
    carriers: RATED_CARRIERS,
    declined: buildDeclinedList({ issuers: [], coverages: [] }),
    verifyMinimumEarnedCoverages: new Set(['windstorm']),
    ...changes,
  };
}

/** The default settings with some fields replaced, given as JSON values by their public names, if they may be set. */
export function changeSettings(changes: Readonly<Record<string, unknown>>): PricingSettings {
  const settings = parseSettings(writeSettings(changes));
  refuseContradictions(settings);
  return settings;
}

export function writeSettings(changes: Readonly<Record<string, unknown>>): string {
  const defaults: object = JSON.parse(formatSettings(DEFAULT_SETTINGS));
  return JSON.stringify({ ...defaults, ...changes });
}

function carrier(name: string, rating: string | null, naicCode: string) {
  return { name, naicCode, amBestId: `0${naicCode}`, rating };
}
