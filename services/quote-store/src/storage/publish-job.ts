import type { Tenant } from '@pfq/kit/caller';
import type { Telling } from '../domain/interest.ts';

export const PUBLISH_INTEREST = 'publish-interest';

/** Which interest is to be told of, and how: everything else is read when it is, so that a job holds nothing personal. */
export type PublishInterest = { readonly tenant: Tenant; readonly quoteId: string; readonly telling: Telling };

/** Keyed by the event, of which there is one for an interest. */
export function publishJob({ tenant, quoteId, telling }: PublishInterest) {
  const { eventId, requestId, traceparent } = telling;
  return {
    task: PUBLISH_INTEREST,
    key: eventId,
    traceparent,
    payload: {
      agency_id: tenant.agencyId,
      mode: tenant.mode,
      quote_id: quoteId,
      event_id: eventId,
      request_id: requestId,
      traceparent,
    },
  };
}

type Payload = {
  readonly agency_id: string;
  readonly mode: Tenant['mode'];
  readonly quote_id: string;
  readonly event_id: string;
  readonly request_id: string;
  readonly traceparent: string | null;
};

/** Reads the payload of a job that `publishJob` made. */
export function readPublishJob(payload: unknown): PublishInterest {
  const { agency_id: agencyId, mode, quote_id: quoteId, event_id: eventId, ...cause } = payload as Payload;
  const telling = { eventId, requestId: cause.request_id, traceparent: cause.traceparent };
  return { tenant: { agencyId, mode }, quoteId, telling };
}
