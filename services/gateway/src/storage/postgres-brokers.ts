import { emailKey } from '@pfq/kit/email-address';
import type { Database, Statements } from '@pfq/kit/postgres';
import { missing, refuseField } from '../domain/admin-fields.ts';
import type { Broker, BrokerStatus } from '../domain/agency.ts';
import { recordChange } from './postgres-audit.ts';
import { requireAgency } from './postgres-agencies.ts';
import type { Actor, BrokerChange, BrokerStore } from './store.ts';

type BrokerRow = { id: string; agency_id: string; email: string; name: string; status: BrokerStatus; created_at: Date };
type NewBroker = Omit<Broker, 'createdAt'> & { readonly actor: Actor };

export function postgresBrokerStore(database: Database): BrokerStore {
  return {
    register: (broker, actor) => database.transaction((statements) => registerBroker(statements, { ...broker, actor })),
    setStatus: (change, actor) => database.transaction((statements) => setStatus(statements, { ...change, actor })),
    async list(agencyId) {
      await requireAgency({ query: database.read }, agencyId);
      const rows = await database.read<BrokerRow>(LIST_BROKERS, [agencyId]);
      return rows.map(toBroker);
    },
  };
}

const COLUMNS = 'id, agency_id, email, name, status, created_at';

const LIST_BROKERS = `SELECT ${COLUMNS} FROM brokers WHERE agency_id = $1 ORDER BY created_at, id`;

const REGISTER_BROKER = `
  INSERT INTO brokers (agency_id, id, email, email_key, name, status) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (agency_id, email_key) DO NOTHING RETURNING ${COLUMNS}`;

async function registerBroker(statements: Statements, broker: NewBroker): Promise<Broker> {
  const { id, agencyId, email, name, status, actor } = broker;
  await requireAgency(statements, agencyId);
  const values = [agencyId, id, email, emailKey(email), name, status];
  const [row] = await statements.query<BrokerRow>(REGISTER_BROKER, values);
  if (!row) return refuseField('INVALID_VALUE', 'email', `${email} is registered at this agency already.`);
  const details = { agency_id: agencyId, email, name, status };
  await recordChange(statements, { actor, action: 'broker.register', target: id, details });
  return toBroker(row);
}

/** By the unique index on agency and address; holds the row, so that of two changes at once each sees the other. */
const LOCK_BROKER = `SELECT ${COLUMNS} FROM brokers WHERE agency_id = $1 AND email_key = $2 FOR NO KEY UPDATE`;

const SET_STATUS = 'UPDATE brokers SET status = $3 WHERE agency_id = $1 AND id = $2';

async function setStatus(
  statements: Statements,
  { agencyId, email, status, actor }: BrokerChange & { actor: Actor },
): Promise<Broker> {
  const [row] = await statements.query<BrokerRow>(LOCK_BROKER, [agencyId, emailKey(email)]);
  if (!row) throw missing('broker', email);
  if (row.status === status) return toBroker(row);
  await statements.query(SET_STATUS, [agencyId, row.id, status]);
  const details = { agency_id: agencyId, email: row.email, status };
  await recordChange(statements, { actor, action: 'broker.status', target: row.id, details });
  return toBroker({ ...row, status });
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
