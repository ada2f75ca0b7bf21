import { composeMail } from '@pfq/kit/mail';
import type { MailAddress } from '@pfq/kit/mail';
import { renderInterestEmail } from '../email/render-interest-email.ts';
import type { InterestEvent } from './read-event.ts';

/** Writes the whole message about an event: the same event gives the same bytes. */
export type ComposeMessage = (event: InterestEvent) => Promise<Uint8Array>;

/** The `Message-ID` is the event's id at the sender's domain, and the date that of the response. */
export function composeMessages({ from, portalUrl }: { from: MailAddress; portalUrl: string }): ComposeMessage {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return ({ eventId, recipient, interest }) =>
    composeMail({
      ...renderInterestEmail(interest, { portalUrl }),
      from,
      to: { name: interest.brokerName, address: recipient },
      messageId: `<${eventId}@${domain}>`,
      date: interest.submittedAt,
    });
}
