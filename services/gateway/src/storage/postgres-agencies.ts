import type { Database, Statements } from '@pfq/kit/postgres';
import { missing } from '../domain/admin-fields.ts';
import type { Agency } from '../domain/agency.ts';
import { recordChange } from './postgres-audit.ts';
import type { Actor, AgencyStore, AgencySwitches } from './store.ts';

type AgencyRow = { id: string; name: string; live_enabled: boolean; test_enabled: boolean; created_at: Date };

/** By name, because a statement prepared with `*` fails once a later release adds a column. */
const COLUMNS = 'id, name, live_enabled, test_enabled, created_at';

const FIND_AGENCY = `SELECT ${COLUMNS} FROM agencies WHERE id = $1`;

const LIST_AGENCIES = `SELECT ${COLUMNS} FROM agencies ORDER BY created_at, id`;

export function postgresAgencyStore(database: Database): AgencyStore {
  return {
    create: (agency, actor) => database.transaction((statements) => createAgency(statements, { ...agency, actor })),
    async list() {
      const rows = await database.read<AgencyRow>(LIST_AGENCIES, []);
      return rows.map(toAgency);
    },
    switch: (switches, actor) => database.transaction((statements) => switchAgency(statements, { ...switches, actor })),
  };
}

async function createAgency(
  statements: Statements,
  { id, name, actor }: { id: string; name: string; actor: Actor },
): Promise<Agency> {
  const insert = `INSERT INTO agencies (id, name) VALUES ($1, $2) RETURNING ${COLUMNS}`;
  const rows = await statements.query<AgencyRow>(insert, [id, name]);
  await recordChange(statements, { actor, action: 'agency.create', target: id, details: { name } });
  return onlyAgency(rows, id);
}

/** Holds the row, so that of two changes at once each sees the other. */
const LOCK_AGENCY = `SELECT ${COLUMNS} FROM agencies WHERE id = $1 FOR NO KEY UPDATE`;

const SWITCH_AGENCY = `UPDATE agencies SET live_enabled = $2, test_enabled = $3 WHERE id = $1 RETURNING ${COLUMNS}`;

async function switchAgency(
  statements: Statements,
  { agencyId, live, test, actor }: AgencySwitches & { actor: Actor },
): Promise<Agency> {
  const before = onlyAgency(await statements.query<AgencyRow>(LOCK_AGENCY, [agencyId]), agencyId);
  const liveEnabled = live ?? before.liveEnabled;
  const testEnabled = test ?? before.testEnabled;
  if (liveEnabled === before.liveEnabled && testEnabled === before.testEnabled) return before;
  const rows = await statements.query<AgencyRow>(SWITCH_AGENCY, [agencyId, liveEnabled, testEnabled]);
  const details = { live_enabled: liveEnabled, test_enabled: testEnabled };
  await recordChange(statements, { actor, action: 'agency.switch', target: agencyId, details });
  return onlyAgency(rows, agencyId);
}

export async function requireAgency(statements: Statements, agencyId: string): Promise<void> {
  onlyAgency(await statements.query<AgencyRow>(FIND_AGENCY, [agencyId]), agencyId);
}

function onlyAgency([row]: readonly AgencyRow[], agencyId: string): Agency {
  if (!row) throw missing('agency', agencyId);
  return toAgency(row);
}

function toAgency(row: AgencyRow): Agency {
  return {
    id: row.id,
    name: row.name,
    liveEnabled: row.live_enabled,
    testEnabled: row.test_enabled,
    createdAt: row.created_at,
  };
}
