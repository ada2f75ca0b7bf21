import type { Database, Row, Statements } from '@pfq/kit/postgres';
import { applyChange } from '../domain/declined-entries.ts';
import type { DeclinedChange, DeclinedEntries } from '../domain/declined-entries.ts';
import type { Actor, CoverageList, CurrentVersions, PricingStore, StoredCarrier } from './store.ts';

type VersionsRow = {
  rate_sheet: number | null;
  settings: number | null;
  carrier_directory: number | null;
  declined_list: number | null;
};
type CarrierRow = { name: string; naic_code: string | null; am_best_id: string | null; rating: string | null };

export function postgresPricingStore(database: Database): PricingStore {
  return {
    async readCurrentVersions() {
      return toVersions(await database.read<VersionsRow>(CURRENT_VERSIONS, []));
    },
    async readRateSheet(version) {
      const [row] = await database.read<{ json: string }>('SELECT json FROM rate_sheets WHERE version = $1', [version]);
      return row?.json ?? null;
    },
    async readSettings(version) {
      const [row] = await database.read<{ json: string }>('SELECT json FROM settings WHERE version = $1', [version]);
      return row?.json ?? null;
    },
    readCarriers: (version) => readCarriers(database, version),
    readDeclined: (version) => readDeclined({ query: database.read }, version),
    readCoverageList: (version) => readCoverageList(database, version),
    addRateSheet: ({ json, asOf }, actor) =>
      database.transaction(async (statements) => {
        const version = (await lockVersions(statements)).rateSheet + 1;
        await statements.query('INSERT INTO rate_sheets (version, json) VALUES ($1, $2)', [version, json]);
        await statements.query('UPDATE current_versions SET rate_sheet = $1', [version]);
        const target = `rate sheet ${version}`;
        await writeAudit(statements, { actor, action: 'rate_sheet.load', target, details: { as_of: asOf } });
        return version;
      }),
    addSettings: (json, actor) =>
      database.transaction(async (statements) => {
        const version = (await lockVersions(statements)).settings + 1;
        await insertSettings(statements, { version, json });
        const target = `settings ${version}`;
        await writeAudit(statements, { actor, action: 'settings.set', target, details: {} });
        return version;
      }),
    addCarriers: (carriers, actor) =>
      database.transaction(async (statements) => {
        const version = (await lockVersions(statements)).carrierDirectory + 1;
        await insertCarriers(statements, { version, carriers });
        const target = `carrier directory ${version}`;
        const details = { carriers: carriers.length };
        await writeAudit(statements, { actor, action: 'carriers.load', target, details });
        return version;
      }),
    changeDeclined: (change, actor) =>
      database.transaction((statements) => changeDeclined(statements, { change, actor })),
    recordFirstSettings: (json, actor) =>
      database.transaction(async (statements) => {
        if ((await lockVersions(statements)).settings > 0) return;
        await insertSettings(statements, { version: 1, json });
        await writeAudit(statements, { actor, action: 'settings.begin', target: 'settings 1', details: {} });
      }),
    recordCoverageList: (list) => recordCoverageList(database, list),
  };
}

const CURRENT_VERSIONS = 'SELECT rate_sheet, settings, carrier_directory, declined_list FROM current_versions';

/** Makes changes take turns, so that versions follow each other without a gap. */
async function lockVersions(statements: Statements): Promise<CurrentVersions> {
  return toVersions(await statements.query<VersionsRow>(`${CURRENT_VERSIONS} FOR UPDATE`, []));
}

function toVersions([row]: readonly VersionsRow[]): CurrentVersions {
  if (!row) throw new Error('current_versions has lost its row');
  return {
    rateSheet: row.rate_sheet ?? 0,
    settings: row.settings ?? 0,
    carrierDirectory: row.carrier_directory ?? 0,
    declinedList: row.declined_list ?? 0,
  };
}

async function insertSettings(statements: Statements, { version, json }: { version: number; json: string }) {
  await statements.query('INSERT INTO settings (version, json) VALUES ($1, $2)', [version, json]);
  await statements.query('UPDATE current_versions SET settings = $1', [version]);
}

const INSERT_CARRIERS = `
  INSERT INTO carriers (directory_version, position, name, naic_code, am_best_id, rating)
  SELECT $1, position, name, naic_code, am_best_id, rating
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS carrier (name, naic_code, am_best_id, rating, position)`;

type NewDirectory = { readonly version: number; readonly carriers: readonly StoredCarrier[] };

async function insertCarriers(statements: Statements, { version, carriers }: NewDirectory): Promise<void> {
  await statements.query('INSERT INTO carrier_directories (version) VALUES ($1)', [version]);
  await statements.query(INSERT_CARRIERS, [
    version,
    carriers.map(({ name }) => name),
    carriers.map(({ naicCode }) => naicCode),
    carriers.map(({ amBestId }) => amBestId),
    carriers.map(({ rating }) => rating),
  ]);
  await statements.query('UPDATE current_versions SET carrier_directory = $1', [version]);
}

/** By primary key, in the order of the file. No directory is empty, so no row means that it is not on file. */
const READ_CARRIERS = `
  SELECT name, naic_code, am_best_id, rating FROM carriers WHERE directory_version = $1 ORDER BY position`;

async function readCarriers(database: Database, version: number): Promise<readonly StoredCarrier[] | null> {
  const rows = await database.read<CarrierRow>(READ_CARRIERS, [version]);
  if (rows.length === 0) return null;
  return rows.map(({ name, naic_code, am_best_id, rating }) => ({
    name,
    naicCode: naic_code,
    amBestId: am_best_id,
    rating,
  }));
}

async function readDeclined(statements: Statements, version: number): Promise<DeclinedEntries | null> {
  const rows = await statements.query<{ issuers: string[]; coverages: string[] }>(
    'SELECT issuers, coverages FROM declined_lists WHERE version = $1',
    [version],
  );
  return rows[0] ?? null;
}

async function changeDeclined(statements: Statements, { change, actor }: { change: DeclinedChange; actor: Actor }) {
  const { declinedList: current } = await lockVersions(statements);
  const entries = (await readDeclined(statements, current)) ?? { issuers: [], coverages: [] };
  const changed = applyChange(entries, change);
  if (changed === entries) return { version: current, entries };
  const version = current + 1;
  await statements.query('INSERT INTO declined_lists (version, issuers, coverages) VALUES ($1, $2, $3)', [
    version,
    changed.issuers,
    changed.coverages,
  ]);
  await statements.query('UPDATE current_versions SET declined_list = $1', [version]);
  const action = change.declined ? 'decline.add' : 'decline.remove';
  const details = { list: change.list, value: change.value };
  await writeAudit(statements, { actor, action, target: `declined list ${version}`, details });
  return { version, entries: changed };
}

async function readCoverageList(database: Database, version: string): Promise<CoverageList | null> {
  const [row] = await database.read<{ verify_minimum_earned: string[] }>(
    'SELECT verify_minimum_earned FROM coverage_lists WHERE version = $1',
    [version],
  );
  return row ? { version, verifyMinimumEarned: row.verify_minimum_earned } : null;
}

const RECORD_COVERAGE_LIST = `
  INSERT INTO coverage_lists (version, verify_minimum_earned) VALUES ($1, $2) ON CONFLICT (version) DO NOTHING`;

async function recordCoverageList(database: Database, list: CoverageList): Promise<void> {
  await database.write(RECORD_COVERAGE_LIST, [list.version, list.verifyMinimumEarned]);
  const recorded = await readCoverageList(database, list.version);
  if (recorded?.verifyMinimumEarned.join() !== list.verifyMinimumEarned.join()) {
    throw new Error(`coverage list ${list.version} was changed under its old version: raise coverage_list_version`);
  }
}

type AuditEntry = { readonly actor: Actor; readonly action: string; readonly target: string; readonly details: Row };

async function writeAudit(statements: Statements, { actor, action, target, details }: AuditEntry): Promise<void> {
  await statements.query('INSERT INTO audit_log (actor, action, target, details) VALUES ($1, $2, $3, $4)', [
    actor,
    action,
    target,
    JSON.stringify(details),
  ]);
}
