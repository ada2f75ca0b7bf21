import { ServiceError } from '@pfq/kit/errors';
import type { Database, Row, Statements } from '@pfq/kit/postgres';
import { emailKey } from '../domain/agency.ts';
import type { Agency, ApiKey, Broker, BrokerStatus, KeyType, Mode } from '../domain/agency.ts';
import type { Actor, AgencyStore, NewKey } from './store.ts';

type AgencyRow = { id: string; name: string; live_enabled: boolean; test_enabled: boolean; created_at: Date };
type BrokerRow = { id: string; agency_id: string; email: string; name: string; status: BrokerStatus; created_at: Date };
type KeyRow = {
  id: string;
  agency_id: string;
  mode: Mode;
  type: KeyType;
  broker_email: string;
  scopes: string[];
  name: string;
  expires_on: string | null;
  revoked_at: Date | null;
  created_at: Date;
};

export function postgresAgencyStore(database: Database): AgencyStore {
  return {
    createAgency: ({ id, name }, actor) =>
      changeOne(database, { actor, action: 'agency.create', target: id, details: { name } }, async (statements) => {
        const [row] = await statements.query<AgencyRow>('INSERT INTO agencies (id, name) VALUES ($1, $2) RETURNING *', [
          id,
          name,
        ]);
        return row && toAgency(row);
      }),
    async listAgencies() {
      const rows = await database.read<AgencyRow>('SELECT * FROM agencies ORDER BY created_at, id', []);
      return rows.map(toAgency);
    },
    switchAgency: (agencyId, { live, test }, actor) =>
      changeOne(
        database,
        { actor, action: 'agency.switch', target: agencyId, details: { live, test } },
        async (statements) => {
          const [row] = await statements.query<AgencyRow>(SWITCH_AGENCY, [agencyId, live ?? null, test ?? null]);
          return row && toAgency(row);
        },
      ),
    registerBroker: (broker, actor) => {
      const { id, agencyId, email, name, status } = broker;
      return changeOne(
        database,
        { actor, action: 'broker.register', target: id, details: { agencyId, email, status } },
        async (statements) => {
          await requireAgency(statements, agencyId);
          const values = [agencyId, id, email, emailKey(email), name, status];
          const [row] = await statements.query<BrokerRow>(REGISTER_BROKER, values);
          return toBroker(row ?? refuseTakenEmail(email));
        },
      );
    },
    setBrokerStatus: ({ agencyId, email, status }, actor) =>
      changeOne(
        database,
        { actor, action: 'broker.status', target: email, details: { agencyId, status } },
        async (statements) => {
          const [row] = await statements.query<BrokerRow>(SET_BROKER_STATUS, [agencyId, emailKey(email), status]);
          return row && toBroker(row);
        },
      ),
    async listBrokers(agencyId) {
      await requireAgency({ query: database.read }, agencyId);
      const rows = await database.read<BrokerRow>(
        'SELECT * FROM brokers WHERE agency_id = $1 ORDER BY created_at, id',
        [agencyId],
      );
      return rows.map(toBroker);
    },
    createKey: (key, actor) => createKey(database, key, actor),
    async listKeys(agencyId) {
      await requireAgency({ query: database.read }, agencyId);
      const rows = await database.read<KeyRow>(`${SELECT_KEYS} WHERE k.agency_id = $1 ORDER BY k.created_at, k.id`, [
        agencyId,
      ]);
      return rows.map(toApiKey);
    },
    revokeKey: (keyId, actor) =>
      changeOne(database, { actor, action: 'key.revoke', target: keyId, details: {} }, async (statements) => {
        await statements.query(REVOKE_KEY, [keyId]);
        const [row] = await statements.query<KeyRow>(`${SELECT_KEYS} WHERE k.id = $1`, [keyId]);
        return row && toApiKey(row);
      }),
  };
}

const SWITCH_AGENCY = `
  UPDATE agencies SET live_enabled = coalesce($2, live_enabled), test_enabled = coalesce($3, test_enabled)
  WHERE id = $1 RETURNING *`;

const REGISTER_BROKER = `
  INSERT INTO brokers (agency_id, id, email, email_key, name, status) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (agency_id, email_key) DO NOTHING RETURNING *`;

const SET_BROKER_STATUS = `
  UPDATE brokers SET status = $3 WHERE agency_id = $1 AND email_key = $2 RETURNING *`;

const CREATE_KEY = `
  INSERT INTO api_keys (agency_id, mode, id, hash, type, broker_id, scopes, name, expires_on)
  SELECT $1, $2, $3, $4, $5, b.id, $7, $8, $9 FROM brokers b WHERE b.agency_id = $1 AND b.email_key = $6 AND b.status = 'active'
  RETURNING id`;

/** The first revocation stands. */
const REVOKE_KEY = `UPDATE api_keys SET revoked_at = pfq_now() WHERE id = $1 AND revoked_at IS NULL`;

const SELECT_KEYS = `
  SELECT k.id, k.agency_id, k.mode, k.type, b.email AS broker_email, k.scopes, k.name, k.expires_on, k.revoked_at, k.created_at
  FROM api_keys k JOIN brokers b ON b.agency_id = k.agency_id AND b.id = k.broker_id`;

function createKey(database: Database, key: NewKey, actor: Actor): Promise<ApiKey> {
  const { id, agencyId, mode, hash, type, brokerEmail, scopes, name, expiresOn } = key;
  const details = { agencyId, mode, type, scopes, brokerEmail, expiresOn };
  return changeOne(database, { actor, action: 'key.create', target: id, details }, async (statements) => {
    await requireAgency(statements, agencyId);
    const values = [agencyId, mode, id, hash, type, emailKey(brokerEmail), scopes, name, expiresOn];
    const created = await statements.query(CREATE_KEY, values);
    if (created.length === 0) refuseInactiveBroker(brokerEmail);
    const [row] = await statements.query<KeyRow>(
      `${SELECT_KEYS} WHERE k.agency_id = $1 AND k.mode = $2 AND k.id = $3`,
      [agencyId, mode, id],
    );
    return row && toApiKey(row);
  });
}

type AuditEntry = { actor: Actor; action: string; target: string; details: Row };

/** Carries out a change and writes it to the audit log, both or neither. */
function changeOne<T>(
  database: Database,
  entry: AuditEntry,
  change: (statements: Statements) => Promise<T | undefined>,
): Promise<T> {
  return database.transaction(async (statements) => {
    const changed = await change(statements);
    if (changed === undefined) throw new ServiceError('NOT_FOUND', { message: `There is no ${entry.target}.` });
    const { actor, action, target, details } = entry;
    await statements.query('INSERT INTO audit_log (actor, action, target, details) VALUES ($1, $2, $3, $4)', [
      actor,
      action,
      target,
      JSON.stringify(details),
    ]);
    return changed;
  });
}

async function requireAgency(statements: Statements, agencyId: string): Promise<void> {
  const found = await statements.query('SELECT 1 FROM agencies WHERE id = $1', [agencyId]);
  if (found.length === 0) throw new ServiceError('NOT_FOUND', { message: `There is no agency ${agencyId}.` });
}

function refuseTakenEmail(email: string): never {
  throw new ServiceError('VALIDATION_FAILED', {
    message: `${email} is registered at this agency already.`,
    param: 'email',
  });
}

function refuseInactiveBroker(email: string): never {
  throw new ServiceError('VALIDATION_FAILED', {
    message: `${email} is not an active broker of this agency.`,
    param: 'broker_email',
  });
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

function toBroker(row: BrokerRow): Broker {
  return {
    id: row.id,
    agencyId: row.agency_id,
    email: row.email,
    name: row.name,
    status: row.status,
    createdAt: row.created_at,
  };
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    agencyId: row.agency_id,
    mode: row.mode,
    type: row.type,
    brokerEmail: row.broker_email,
    scopes: row.scopes,
    name: row.name,
    expiresOn: row.expires_on,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}
