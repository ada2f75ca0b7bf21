import { ServiceError } from '@pfq/kit/errors';
import { requireEnabledMode, requireUsableKey } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { modeOfApiKey } from '../domain/api-key.ts';
import { hashApiKey } from '../storage/key-hash.ts';
import type { AccessStore } from '../storage/store.ts';

const BEARER = 'Bearer ';

type Keys = { readonly access: AccessStore; readonly keyPepper: string };

/** Who is calling. A mistyped key is refused without a look-up; everything else is found in one statement. */
export async function authenticate(authorization: string | undefined, { access, keyPepper }: Keys): Promise<Access> {
  if (!authorization?.startsWith(BEARER))
    throw invalidKey('Send the header "Authorization: Bearer" followed by an API key.');
  const key = authorization.slice(BEARER.length);
  if (modeOfApiKey(key) === null)
    throw invalidKey('The API key is mistyped or cut short: its checksum does not match.');
  const found = await access.findAccess(hashApiKey(key, keyPepper));
  if (!found) throw invalidKey('The API key is not known.');
  requireUsableKey(found);
  requireEnabledMode(found);
  return found;
}

function invalidKey(message: string): ServiceError {
  return new ServiceError('INVALID_API_KEY', { message });
}
