import type { Dependency } from './health.ts';
import type { MailFailureCode } from './mail-failure.ts';

export type MailServerHealth = {
  readonly dependency: Dependency;
  /** What came of a mail: null where the server took it. */
  saw(failure: MailFailureCode | null): void;
};

const LOOK_EVERY_MS = 30_000;
/** The longest that anyone waits between two attempts to send the same mail. */
const FAILURE_COUNTS_MS = 300_000;

/**
 * The mail server as a dependency: well where it greets, and where no mail failed lately for want of it. A server that
 * greets may still take no mails, such as one that refuses our login. `greet` rejects where it does not greet.
 */
export function watchMailServer(greet: () => Promise<unknown>): MailServerHealth {
  let failedAtMs: number | null = null;
  return {
    saw(failure) {
      if (failure === 'mail_server_unavailable') failedAtMs = performance.now();
      // Whatever else it says of a mail, it is there and says it.
      else if (failure !== 'outcome_unknown') failedAtMs = null;
    },
    dependency: {
      name: 'smtp',
      isVital: false,
      everyMs: LOOK_EVERY_MS,
      async check() {
        await greet().catch((error: unknown) => {
          throw new Error(`the mail server does not greet: ${codeOf(error)}`);
        });
        const hasFailed = failedAtMs !== null && performance.now() - failedAtMs < FAILURE_COUNTS_MS;
        if (hasFailed) throw new Error('the mail server greets, but a mail has failed for want of it: see the log');
      },
    },
  };
}

/** Its words could be anything, and are left out: `ECONNREFUSED`, `EPROTOCOL 554`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return 'responseCode' in error && typeof error.responseCode === 'number' ? `${code} ${error.responseCode}` : code;
}
