import PostalMime from 'postal-mime';
import type { Address } from 'postal-mime';
import { arrivalOf } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';

/** A caught mail as `/messages.json` gives it. */
export type Message = {
  readonly id: string;
  /** `Name <address>`, several with commas between them. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly message_id: string | null;
  /** What the mail says of itself, ISO 8601 where it can be read. */
  readonly date: string | null;
  readonly received_at: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly raw_url: string;
};

export type Messages = {
  /** Null where there is no mail with this id. A mail that cannot be parsed has its raw form only. */
  readonly one: (id: string) => Promise<Message | null>;
  /** Newest first. */
  readonly all: () => Promise<readonly Message[]>;
};

/** Reads each mail once: what is kept never changes. */
export function messagesOf(mailbox: Mailbox): Messages {
  let known = new Map<string, Message>();
  const one = async (id: string) => {
    const raw = await mailbox.read(id);
    return raw === null ? null : parse(id, raw);
  };
  return {
    one,
    async all() {
      const current = new Map<string, Message>();
      for (const id of await mailbox.list()) {
        const message = known.get(id) ?? (await one(id));
        if (message !== null) current.set(id, message);
      }
      known = current;
      return [...current.values()];
    },
  };
}

async function parse(id: string, raw: Buffer): Promise<Message> {
  const mail = await PostalMime.parse(raw).catch(() => null);
  return {
    id,
    from: addresses(mail?.from === undefined ? [] : [mail.from]),
    to: addresses(mail?.to ?? []),
    subject: mail?.subject ?? '',
    message_id: mail?.messageId ?? null,
    date: mail?.date ?? null,
    received_at: arrivalOf(id).toISOString(),
    text: mail?.text ?? null,
    html: mail?.html ?? null,
    raw_url: `/messages/${id}/raw`,
  };
}

function addresses(list: readonly Address[]): string {
  return list
    .flatMap((one) => (one.group === undefined ? [one] : one.group))
    .map(({ name, address }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ');
}
