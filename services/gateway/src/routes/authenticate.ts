import { ServiceError } from '@pfq/kit/errors';
import { requireEnabledMode, requireUsableKey } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { modeOfApiKey } from '../domain/api-key.ts';
import type { AccessStore } from '../storage/store.ts';

const BEARER = 'Bearer ';

/** Who is calling. A mistyped key is refused without a look-up; everything else is found in one statement. */
export async function authenticate(authorization: string | undefined, store: AccessStore): Promise<Access> {
  if (!authorization?.startsWith(BEARER))
    throw invalidKey('Send the header "Authorization: Bearer" followed by an API key.');
  const key = authorization.slice(BEARER.length);
  if (modeOfApiKey(key) === null)
    throw invalidKey('The API key is mistyped or cut short: its checksum does not match.');
  const access = await store.findAccess(key);
  if (!access) throw invalidKey('The API key is not known.');
  requireUsableKey(access);
  requireEnabledMode(access);
  return access;
}

function invalidKey(message: string): ServiceError {
  return new ServiceError('INVALID_API_KEY', { message });
}
