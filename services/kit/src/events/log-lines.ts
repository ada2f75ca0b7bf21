import type { Logger } from '../log.ts';

/** What kafkajs says of itself. */
type Entry = {
  readonly namespace: string;
  /** 1 error, 2 warning, 4 information, 5 every request and answer. */
  readonly level: number;
  readonly log: Readonly<Record<string, unknown>>;
};

/**
 * By kafkajs' own levels. Its errors are attempts, of which a broker that is away brings many each second; what it gives
 * up is logged by those who called it.
 */
const LEVELS: Readonly<Record<number, 'info' | 'debug'>> = { 1: 'info', 2: 'debug', 4: 'debug' };

/** Of what it tells, that which says where and why. Its details of requests and answers could hold anything. */
const TOLD = new Set(['broker', 'groupId', 'memberId', 'topic', 'partition', 'error', 'retryCount', 'retryTime']);

/** Turns the entries of kafkajs' own log into lines of ours. */
export function toLogLines(logger: Logger): (entry: Entry) => void {
  return ({ namespace, level, log }) => {
    const target = LEVELS[level];
    if (target === undefined) return;
    const told = Object.entries(log).filter(([name, value]) => TOLD.has(name) && typeof value !== 'object');
    logger[target](Object.fromEntries(told), `kafka ${namespace}: ${String(log['message'])}`);
  };
}
