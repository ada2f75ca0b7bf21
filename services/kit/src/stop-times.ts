/**
 * How long the parts of a stop may take, in milliseconds, one after the other. What is in one part goes on side by side: of
 * what is under way, jobs end first, so that they are another replica's while this one still answers.
 */
export const STOP_MS = {
  underWay: 10_000,
  lastWrites: 3_000,
  databases: 2_000,
  // Whoever asks asks again soon, and waiting for the metrics of a database that is silent would be too long.
  operations: 1_000,
  telemetry: 2_000,
} as const;

export const JOBS_STOP_MS = 8_000;

/** All parts together: what SHUTDOWN_TIMEOUT_MS leaves room for behind SHUTDOWN_DELAY_MS. */
export const LONGEST_STOP_MS = Object.values(STOP_MS).reduce((sum, each) => sum + each, 0);
