import { emailKey } from '@pfq/kit/email-address';
import type { Database, Statements } from '@pfq/kit/postgres';
import { missing, refuseField } from '../domain/admin-fields.ts';
import type { ApiKey, BrokerStatus, KeyType, Mode } from '../domain/agency.ts';
import { recordChange } from './postgres-audit.ts';
import { hashApiKey } from './key-hash.ts';
import { requireAgency } from './postgres-agencies.ts';
import type { Actor, KeyStore, NewKey } from './store.ts';

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

/** `keyPepper` is the secret under which keys are hashed. */
export function postgresKeyStore(database: Database, keyPepper: string): KeyStore {
  return {
    create: ({ secret, ...key }, actor) =>
      database.transaction((statements) =>
        createKey(statements, { ...key, hash: hashApiKey(secret, keyPepper), actor }),
      ),
    async list(agencyId) {
      await requireAgency({ query: database.read }, agencyId);
      const rows = await database.read<KeyRow>(LIST_KEYS, [agencyId]);
      return rows.map(toApiKey);
    },
    revoke: (keyId, actor) => database.transaction((statements) => revokeKey(statements, { keyId, actor })),
  };
}

const SELECT_KEYS = `
  SELECT k.id, k.agency_id, k.mode, k.type, b.email AS broker_email, k.scopes, k.name, k.expires_on, k.revoked_at, k.created_at
  FROM api_keys k JOIN brokers b ON b.agency_id = k.agency_id AND b.id = k.broker_id`;

const FIND_KEY = `${SELECT_KEYS} WHERE k.agency_id = $1 AND k.mode = $2 AND k.id = $3`;

const LIST_KEYS = `${SELECT_KEYS} WHERE k.agency_id = $1 ORDER BY k.created_at, k.id`;

/** By the unique index on agency and address. */
const FIND_BROKER = 'SELECT id, email, status FROM brokers WHERE agency_id = $1 AND email_key = $2';

const CREATE_KEY = `
  INSERT INTO api_keys (agency_id, mode, id, hash, type, broker_id, scopes, name, expires_on)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

async function createKey(
  statements: Statements,
  key: Omit<NewKey, 'secret'> & { hash: Buffer; actor: Actor },
): Promise<ApiKey> {
  const { id, agencyId, mode, hash, type, scopes, name, expiresOn, actor } = key;
  await requireAgency(statements, agencyId);
  const broker = await requireActiveBroker(statements, key);
  await statements.query(CREATE_KEY, [agencyId, mode, id, hash, type, broker.id, scopes, name, expiresOn]);
  const kind = { agency_id: agencyId, mode, type, broker_email: broker.email };
  const details = { ...kind, scopes, name, expires_on: expiresOn };
  await recordChange(statements, { actor, action: 'key.create', target: id, details });
  return onlyKey(await statements.query<KeyRow>(FIND_KEY, [agencyId, mode, id]), id);
}

async function requireActiveBroker(
  statements: Statements,
  { agencyId, brokerEmail }: Pick<NewKey, 'agencyId' | 'brokerEmail'>,
) {
  type Found = { id: string; email: string; status: BrokerStatus };
  const [broker] = await statements.query<Found>(FIND_BROKER, [agencyId, emailKey(brokerEmail)]);
  if (!broker) throw missing('broker', brokerEmail);
  if (broker.status === 'active') return broker;
  return refuseField('INVALID_VALUE', 'broker_email', `${broker.email} is not an active broker of this agency.`);
}

/** By api_keys_by_id: the operator names a key by its id alone. Holds the row until the revocation is committed. */
const LOCK_KEY = `${SELECT_KEYS} WHERE k.id = $1 FOR NO KEY UPDATE OF k`;

const REVOKE_KEY = 'UPDATE api_keys SET revoked_at = pfq_now() WHERE agency_id = $1 AND mode = $2 AND id = $3';

async function revokeKey(statements: Statements, { keyId, actor }: { keyId: string; actor: Actor }): Promise<ApiKey> {
  const key = onlyKey(await statements.query<KeyRow>(LOCK_KEY, [keyId]), keyId);
  if (key.revokedAt !== null) return key;
  const { agencyId, mode } = key;
  await statements.query(REVOKE_KEY, [agencyId, mode, keyId]);
  const details = { agency_id: agencyId, mode };
  await recordChange(statements, { actor, action: 'key.revoke', target: keyId, details });
  return onlyKey(await statements.query<KeyRow>(FIND_KEY, [agencyId, mode, keyId]), keyId);
}

function onlyKey([row]: readonly KeyRow[], keyId: string): ApiKey {
  if (!row) throw missing('key', keyId);
  return toApiKey(row);
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
