import type { Standing } from '../domain/attempt.ts';
import type { Email, Trying } from '../domain/email.ts';

/** Names an email within its tenant. */
export type EmailKey = Pick<Email, 'agencyId' | 'mode' | 'eventId'>;

export type NewEmail = Pick<
  Email,
  'agencyId' | 'mode' | 'eventId' | 'quoteId' | 'recipient' | 'requestId' | 'traceparent'
> & {
  /** When the insured responded. */
  readonly submittedAt: Date;
  /** The whole message, as every attempt will send it. */
  readonly message: Uint8Array;
};

export type EmailToSend = Email &
  Trying & {
    readonly message: Uint8Array;
    /** Since when it has been tried without a pause. */
    readonly triedSince: Date;
    /** Milliseconds from the insured's response until it was read to be sent; null where nobody knows. */
    readonly submittedForMs: number | null;
  };

/** Its jobs are `send-email` and `record-outcome`, with an EmailKey. */
export type EmailStore = {
  /** Stores an email and has it sent; false, and nothing is changed, where there is one about the event already. */
  accept(email: NewEmail): Promise<boolean>;
  find(key: EmailKey): Promise<Email | null>;
  /**
   * Runs `send` with a pending email, unless somebody else is doing so: then it throws. Its claim ends with it, or with the
   * process. Where the email is not pending there is nothing to do.
   */
  whileSending(key: EmailKey, send: (email: EmailToSend) => Promise<void>): Promise<void>;
  /**
   * Records how the email stands after an attempt, and has it sent again or its outcome told. Somebody else's later attempt
   * is not undone, but for this: what was sent is sent. False where nothing was recorded.
   */
  settle(email: EmailToSend, standing: Standing): Promise<boolean>;
  /** Of every agency, newest first, for the operator. */
  list(chosen: { readonly failedOnly: boolean; readonly limit: number }): Promise<readonly Email[]>;
  /**
   * Has a failed email sent again and notes in the audit log who wanted it; any other stays as it is. Any agency's, for the
   * operator. Null where there is none.
   */
  retry(
    eventId: string,
    by: { readonly actor: string },
  ): Promise<{ readonly email: Email; readonly isRetried: boolean } | null>;
};
