import pg from 'pg';
import { OutcomeUnknownError, unavailable } from './errors.ts';

/** For a failure that cannot have left anything behind. */
export function withNothingStored(error: unknown): unknown {
  return isConnectionLoss(error) || isRefusal(error) ? unavailable(error) : error;
}

/** For a failure of what takes effect by itself: a write, or a COMMIT. */
export function withFateOpen(error: unknown): unknown {
  if (isConnectionLoss(error) && !wasNeverSent(error)) return new OutcomeUnknownError(error);
  return withNothingStored(error);
}

/** The server ended the session, or nothing was heard of it. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isSocketError = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code);
  return isSocketError || wasNeverSent(error) || /^(Connection terminated|Query read timeout)/.test(error.message);
}

/** The driver's words for a statement that it kept back because the connection was known to be lost. */
function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('is not queryable');
}

/** The server takes no writes since a failover: a new connection finds the one that does. */
export function isStandby(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Certificates that Node does not take, for lack of an authority, of days or of the right name. */
const CERTIFICATE_REFUSED = /^(CERT_|ERR_TLS_CERT|SELF_SIGNED_CERT|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY))/;

/**
 * The server is there and will not have us, whenever we come again: role and password (class 28, or before it is asked), database
 * (3D) or right to connect (42501). Or we will not have it, for its certificate or for want of one.
 */
export function isLoginRefusal(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(28|3D|42501)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (/^SASL: |does not support SSL connections/.test(error.message)) return true;
  return 'code' in error && typeof error.code === 'string' && CERTIFICATE_REFUSED.test(error.code);
}

/**
 * The server is there and undid the statement: serialization failure or deadlock (class 40), out of resources (53),
 * stopped by an operator or past the statement timeout (57), failed disk (58), read-only during a failover, or a table that the
 * migrations have yet to make (42P01).
 */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(40|53|57|58|25006|42P01)/.test(error.code ?? '');
}
