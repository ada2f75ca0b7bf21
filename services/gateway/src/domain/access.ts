import { ServiceError } from '@pfq/kit/errors';
import type { BrokerStatus, KeyType, Mode } from './agency.ts';
import type { RateWindow } from './rate-limits.ts';
import type { Scope } from './scopes.ts';

/** A broker as far as a request needs it. */
export type ActingBroker = { readonly id: string; readonly email: string; readonly name: string };

/** Everything that a key is and may, read in one statement at the beginning of a request. */
export type Access = {
  readonly keyId: string;
  readonly agencyId: string;
  readonly agencyName: string;
  readonly mode: Mode;
  readonly type: KeyType;
  readonly scopes: readonly string[];
  /** Last UTC day on which the key works, YYYY-MM-DD. */
  readonly expiresOn: string | null;
  readonly revoked: boolean;
  /** The agency's switch for the mode of the key. */
  readonly enabled: boolean;
  readonly defaultBroker: ActingBroker & { readonly status: BrokerStatus };
  /** The limits that apply to the request, which is counted in each; none where the key no longer counts. */
  readonly windows: readonly RateWindow[];
  /** The database's time, which is the time of the request. */
  readonly now: Date;
};

/** Refuses a key that no longer counts. Revocation is told before expiry. */
export function requireUsableKey(access: Access): void {
  if (access.revoked) {
    throw new ServiceError('KEY_REVOKED', { message: 'This API key was revoked. Use another key.' });
  }
  if (access.expiresOn !== null && access.now.toISOString().slice(0, 10) > access.expiresOn) {
    throw new ServiceError('KEY_EXPIRED', {
      message: `This API key expired after ${access.expiresOn}. Create a new key.`,
    });
  }
}

/** Refuses every key of a mode that is switched off for its agency. */
export function requireEnabledMode({ mode, enabled }: Access): void {
  if (enabled) return;
  throw mode === 'live'
    ? new ServiceError('API_ACCESS_NOT_ENABLED', { message: 'API access is not switched on for this agency.' })
    : new ServiceError('TEST_MODE_NOT_ENABLED', { message: 'Test mode is not switched on for this agency.' });
}

/** Test helpers act only on test data. */
export function requireTestMode({ mode }: Access): void {
  if (mode === 'test') return;
  throw new ServiceError('TEST_MODE_ONLY', { message: 'A test helper works only with a test key. Use one.' });
}

export function requireScope(access: Access, scope: Scope): void {
  if (access.scopes.includes(scope)) return;
  throw new ServiceError('MISSING_SCOPE', { message: `This API key lacks the scope ${scope}. Use a key that has it.` });
}

/** The broker that body-less requests act as. */
export function defaultBrokerOf({ defaultBroker }: Access): ActingBroker {
  const { id, email, name, status } = defaultBroker;
  if (status === 'active') return { id, email, name };
  throw new ServiceError('DEFAULT_BROKER_INACTIVE', {
    message: `The default broker of this API key, ${email}, is not active. Activate the broker or use another key.`,
  });
}

/** Whose quotes the key can read: one broker's, or undefined for the whole agency. */
export function visibleBrokerId(access: Access): string | undefined {
  const broker = defaultBrokerOf(access);
  return access.type === 'broker' ? broker.id : undefined;
}
