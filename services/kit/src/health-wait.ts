import { setTimeout as wait } from 'node:timers/promises';
import type { Dependency, DependencyState } from './health.ts';
import { reasonOf } from './health-reason.ts';
import type { Logger } from './log.ts';

type Waiting = Pick<Dependency, 'name'> & { readonly logger: Pick<Logger, 'info' | 'warn'> };

/** A wait for what a start cannot go on without. */
type Wait = {
  /** Told at once, when the reason changes, and every 30 seconds. */
  goesOn(reason: string): void;
  /** It is there, or is not waited for any more; said where the wait was. */
  isOver(outcome: 'there' | 'given up'): void;
};

const LOOK_EVERY_MS = 500;
/** So often the log says that it is still waited for. */
const TELL_EVERY_MS = 30_000;

/** Every wait of this process that goes on, for its probes. */
const waits = new Map<object, DependencyState>();

/** What the start of this process waits for at the moment. */
export function waitedFor(): readonly DependencyState[] {
  return [...waits.values()];
}

/** Begins with the first look that fails; until then nothing is said. */
export function beginWait({ name, logger }: Waiting): Wait {
  const startedMs = performance.now();
  const secondsWaited = () => Math.round((performance.now() - startedMs) / 1_000);
  const key = {};
  let toldMs = -Infinity;
  return {
    goesOn(reason) {
      const isNews = waits.get(key)?.reason !== reason;
      waits.set(key, { name, isVital: true, isUp: false, reason });
      if (!isNews && performance.now() - toldMs < TELL_EVERY_MS) return;
      logger.warn({ dependency: name, reason, waited_s: secondsWaited() }, 'waiting for a dependency before starting');
      toldMs = performance.now();
    },
    isOver(outcome) {
      const hasWaited = waits.delete(key);
      if (!hasWaited || outcome !== 'there') return;
      logger.info({ dependency: name, waited_s: secondsWaited() }, 'dependency is there: starting');
    },
  };
}

/**
 * Waits for what a start cannot go on without, for as long as it takes: a process that ended instead would be started again,
 * later each time. A signal to stop ends the process meanwhile (`runService`).
 */
export async function untilAnswering({ check, ...waiting }: Waiting & Pick<Dependency, 'check'>): Promise<void> {
  const waited = beginWait(waiting);
  for (;;) {
    const reason = await check().then(() => null, reasonOf);
    if (reason === null) return waited.isOver('there');
    waited.goesOn(reason);
    await wait(LOOK_EVERY_MS);
  }
}
