import { annotate } from '@pfq/kit/telemetry/spans';
import type { Email } from '../domain/email.ts';

type Named = Pick<Email, 'requestId' | 'eventId' | 'quoteId' | 'agencyId' | 'mode'>;

/** What log lines about an email are found by. */
export function idsOf({ requestId, eventId, quoteId }: Named) {
  return { request_id: requestId, event_id: eventId, quote_id: quoteId };
}

/** Tells the span that goes on which email it is about. */
export function annotateWith({ requestId, eventId, quoteId, agencyId, mode }: Named): void {
  annotate({ 'pfq.request.id': requestId, 'pfq.event.id': eventId, 'pfq.quote.id': quoteId });
  annotate({ 'pfq.agency.id': agencyId, 'pfq.mode': mode });
}
