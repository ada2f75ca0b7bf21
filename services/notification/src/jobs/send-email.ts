import type { Task } from '@pfq/kit/jobs';
import type { Logger } from '@pfq/kit/log';
import { MailFailure } from '@pfq/kit/mail';
import type { Mailer } from '@pfq/kit/mail';
import { count, record } from '@pfq/kit/telemetry/metrics';
import { afterAttempt } from '../domain/attempt.ts';
import type { AttemptResult, Standing } from '../domain/attempt.ts';
import { readEmailJob } from '../storage/email-jobs.ts';
import type { EmailStore, EmailToSend } from '../storage/store.ts';
import { annotateWith, idsOf } from './email-ids.ts';

type Parts = {
  readonly store: Pick<EmailStore, 'whileSending' | 'settle'>;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Envelope sender. */
  readonly from: string;
  readonly giveUpAfterMs: number;
  readonly logger: Logger;
};

/** The job that tries an email once and records how it stands then. */
export function sendEmail({ store, mailer, from, giveUpAfterMs, logger }: Parts): Task {
  return (payload) =>
    store.whileSending(readEmailJob(payload), async (email) => {
      annotateWith(email);
      const startedMs = performance.now();
      const result = await tryOnce(email);
      const standing = afterAttempt(email, result, { giveUpAfterMs });
      tellMetrics(email, standing, { tookMs: performance.now() - startedMs });
      const isRecorded = await store.settle(email, standing);
      const about = { ...idsOf(email), attempts: email.attempts + 1 };
      if (!isRecorded) logger.info(about, 'email settled by another process');
      else if (standing.status === 'sent') logger.info(about, 'email sent');
      else if (standing.status === 'failed') logger.warn({ ...about, reason: standing.reason }, 'email failed');
      else logger.warn({ ...about, retry_in_ms: standing.delayMs }, 'email not sent yet');
    });

  async function tryOnce(email: EmailToSend): Promise<AttemptResult> {
    try {
      await mailer.send({ raw: email.message, from, to: email.recipient });
      return { kind: 'taken' };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      // What the server says may name the recipient, so that it is kept with the email and not logged.
      logger.info({ ...idsOf(email), mail_failure: error.code }, 'mail server did not take the email');
      return toResult(error);
    }
  }
}

function toResult({ code, reply }: MailFailure): AttemptResult {
  switch (code) {
    case 'mailbox_rejected':
    case 'message_rejected':
      return { kind: 'refused', reason: code, reply };
    case 'outcome_unknown':
      return { kind: 'unknown', reply };
    case 'mail_deferred':
    case 'mail_server_unavailable':
      return { kind: 'open', reply };
  }
}

const RESULTS = { sent: 'sent', pending: 'deferred', failed: 'failed' } as const;

function tellMetrics(
  { submittedForMs }: EmailToSend,
  standing: Standing,
  { tookMs }: { readonly tookMs: number },
): void {
  const reason = standing.status === 'failed' ? standing.reason : undefined;
  count('pfq.mail.attempts', { 'pfq.mail.result': RESULTS[standing.status], 'pfq.mail.reason': reason });
  if (standing.status !== 'sent' || submittedForMs === null) return;
  // Two services, and so two clocks, which may differ a little.
  record('pfq.mail.delay', Math.max(0, submittedForMs + tookMs) / 1_000, {});
}
