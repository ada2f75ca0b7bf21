import { ServiceError } from '@pfq/kit/errors';
import type { Access } from '../domain/access.ts';
import { modeOfApiKey } from '../domain/api-key.ts';
import type { AccessStore } from '../storage/store.ts';

const BEARER = 'Bearer ';

/**
 * Whose key it is: a mistyped one is refused without a look-up, everything else is found, and counted where it is usable, in
 * one statement. Whatever this refuses is a 401.
 */
export async function authenticate(
  [authorization, ...others]: readonly string[] = [],
  { store, isNewQuote }: { readonly store: AccessStore; readonly isNewQuote: boolean },
): Promise<Access> {
  if (others.length > 0) throw invalidKey('Send the header "Authorization" once.');
  if (!authorization?.startsWith(BEARER))
    throw invalidKey('Send the header "Authorization: Bearer" followed by an API key.');
  const key = authorization.slice(BEARER.length);
  if (modeOfApiKey(key) === null)
    throw invalidKey('The API key is mistyped or cut short: its checksum does not match.');
  const access = await store.admit(key, { isNewQuote });
  if (!access) throw invalidKey('The API key is not known.');
  return access;
}

function invalidKey(message: string): ServiceError {
  return new ServiceError('INVALID_API_KEY', { message });
}
