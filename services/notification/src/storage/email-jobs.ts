import type { Email } from '../domain/email.ts';
import type { EmailKey } from './store.ts';

export const SEND_EMAIL = 'send-email';
export const RECORD_OUTCOME = 'record-outcome';

type Payload = { readonly agency_id: string; readonly mode: 'live'; readonly event_id: string };

export function emailJob(
  task: typeof SEND_EMAIL | typeof RECORD_OUTCOME,
  { agencyId, mode, eventId, traceparent }: EmailKey & Pick<Email, 'traceparent'>,
  later: { readonly delayMs?: number; readonly since?: Date } = {},
) {
  const payload: Payload = { agency_id: agencyId, mode, event_id: eventId };
  return { task, payload, key: eventId, traceparent, ...later };
}

/** Reads the payload of a job that `emailJob` made. */
export function readEmailJob(payload: unknown): EmailKey {
  const { agency_id: agencyId, mode, event_id: eventId } = payload as Payload;
  return { agencyId, mode, eventId };
}
