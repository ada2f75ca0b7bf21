export type EmailStatus = 'pending' | 'sent' | 'failed';

/** Why an email is given up, as the public API tells it. */
export type FailureReason = 'mailbox_rejected' | 'message_rejected' | 'delivery_timed_out' | 'delivery_unconfirmed';

/** The one email about an event, and how it stands. */
export type Email = {
  readonly agencyId: string;
  readonly mode: 'live';
  readonly eventId: string;
  readonly quoteId: string;
  readonly recipient: string;
  readonly status: EmailStatus;
  /** Exactly where it failed. */
  readonly reason: FailureReason | null;
  /** What was last heard of an attempt; null before the first one, and once it is sent. */
  readonly lastError: string | null;
  readonly attempts: number;
  /** Counts what there is to tell of it: 0 as long as it was never anything but pending. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly statusAt: Date;
  /** Exactly where it is pending. */
  readonly nextAttemptAt: Date | null;
  readonly requestId: string;
  readonly traceparent: string | null;
};

/** How an email has been tried: from its acceptance, or from when the operator had it tried again. */
export type Trying = {
  /** This attempt not counted. */
  readonly recentAttempts: number;
  /** Those of them after which nobody knew whether it was taken. */
  readonly unconfirmedAttempts: number;
  readonly triedForMs: number;
};
