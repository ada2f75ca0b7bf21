import { ServiceError } from '@pfq/kit/errors';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import type { Clients } from '../clients.ts';
import { present } from '../failure.ts';
import { isRecord } from '../json.ts';

/** A key that was made for one run. */
export type OwnKey = { readonly id: string; readonly agencyId: string; readonly secret: string };

const NAME = 'Smoke test';
const BROKER = 'smoke-test@pfq.example';
/** Longer than any run, so that a key which is made just before midnight (UTC) is good for all of it. */
const LONGEST_RUN_MS = 15 * 60_000;

/** Makes a key for quotes in test mode, of an agency that is found again by its name. It ends today, should nobody revoke it. */
export async function makeOwnKey(agencies: Clients['agencies']): Promise<OwnKey> {
  const agencyId = await findAgency(agencies);
  await requireBroker(agencies, agencyId);
  const { key, secret } = await agencies.createKey({
    agencyId,
    mode: Mode.TEST,
    type: KeyType.AGENCY,
    brokerEmail: BROKER,
    scopes: ['quotes:write', 'quotes:read'],
    name: NAME,
    expiresOn: new Date(Date.now() + LONGEST_RUN_MS).toISOString().slice(0, 10),
  });
  return { id: present(key).id, agencyId, secret };
}

/** What the operator can know of why nothing is priced; an empty text where it is none of the rate sheet. */
export async function explainRates(pricing: Clients['pricing']): Promise<string> {
  try {
    const { json } = await pricing.getRateSheet({});
    const sheet: unknown = JSON.parse(json);
    return `The rate sheet is of ${String(isRecord(sheet) ? sheet['as_of'] : '')}: if that is too old, load another, pfq rates load FILE.`;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') {
      return 'No rate sheet has been loaded. Load one: pfq rates load FILE';
    }
    throw error;
  }
}

async function findAgency(agencies: Clients['agencies']): Promise<string> {
  const { agencies: all } = await agencies.listAgencies({});
  const known = all.find(({ name }) => name === NAME) ?? present((await agencies.createAgency({ name: NAME })).agency);
  if (!known.testEnabled) await agencies.switchAgency({ agencyId: known.id, testEnabled: true });
  return known.id;
}

async function requireBroker(agencies: Clients['agencies'], agencyId: string): Promise<void> {
  const { brokers } = await agencies.listBrokers({ agencyId });
  const known = brokers.find(({ email }) => email === BROKER);
  const { ACTIVE: status } = BrokerStatus;
  if (known === undefined) await agencies.registerBroker({ agencyId, email: BROKER, name: NAME, status });
  else if (known.status !== status) await agencies.setBrokerStatus({ agencyId, email: BROKER, status });
}
