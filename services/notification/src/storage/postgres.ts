import type { Database } from '@pfq/kit/postgres';
import { acceptEmail, findEmail, settleEmail } from './postgres-emails.ts';
import { listEmails, retryEmail } from './postgres-operator.ts';
import { whileSending } from './postgres-sending.ts';
import type { EmailStore } from './store.ts';

/** `databaseUrl` is for the connections, one for each email that is being sent, that hold its claim. */
export function postgresEmailStore(database: Database, databaseUrl: string): EmailStore {
  return {
    accept: (email) => acceptEmail(database, email),
    find: (key) => findEmail(database, key),
    whileSending: (key, send) => whileSending(databaseUrl, key, send),
    settle: (email, standing) => settleEmail(database, email, standing),
    list: (chosen) => listEmails(database, chosen),
    retry: (eventId, by) => retryEmail(database, eventId, by),
  };
}
