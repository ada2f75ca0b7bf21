import { oneLine } from './mail-text.ts';

/** Why a mail was not sent: `mailbox_rejected` and `message_rejected` are for good, the others are tried again. */
export type MailFailureCode =
  | 'mailbox_rejected'
  | 'message_rejected'
  | 'mail_deferred'
  | 'mail_server_unavailable'
  | 'outcome_unknown';

/** A mail that was not sent, or of which nobody knows whether it was (`outcome_unknown`). */
export class MailFailure extends Error {
  readonly code: MailFailureCode;
  /** What the server said of it: one line of at most 300 characters, without credentials. */
  readonly reply: string;

  constructor(code: MailFailureCode, { reply, cause }: { readonly reply: string; readonly cause?: unknown }) {
    super(`${code}: ${reply}`, { cause });
    this.name = 'MailFailure';
    this.code = code;
    this.reply = reply;
  }
}

/** The mailer was closed before the mail had been handed over: nothing came of it, and it says nothing about the server. */
export class MailerClosed extends Error {
  constructor() {
    super('the mailer was closed before the mail went out');
    this.name = 'MailerClosed';
  }
}

/** How a delivery ended that did not end well. */
export type BrokenDelivery = {
  /** Status code of the server's reply; null where none came. */
  readonly status: number | null;
  /** What the reply answers: `MAIL FROM`, `RCPT TO` or `DATA` (which its end is too), else a step of the connection. */
  readonly command: string;
  /** Whether the whole message had been handed to the connection, so that the server may have taken it. */
  readonly wasSent: boolean;
};

const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Closing down, out of sequence, not logged in: said of the session, whatever mail came first in it. */
const ABOUT_THE_SESSION = new Set([421, 503, 530]);

export function failureCode({ status, command, wasSent }: BrokenDelivery): MailFailureCode {
  if (status === null || !ABOUT_THE_MAIL.has(command)) return wasSent ? 'outcome_unknown' : 'mail_server_unavailable';
  if (ABOUT_THE_SESSION.has(status)) return 'mail_server_unavailable';
  if (status < 500) return 'mail_deferred';
  return command === 'RCPT TO' ? 'mailbox_rejected' : 'message_rejected';
}

const MAX_REPLY = 300;

/** Somebody else's words, fit to be stored and shown: each of `secrets` is struck out wherever it stands. */
export function toReply(words: string, secrets: readonly string[]): string {
  return oneLine(
    secrets.filter((secret) => secret !== '').reduce((text, secret) => text.replaceAll(secret, '***'), words),
    MAX_REPLY,
  );
}
