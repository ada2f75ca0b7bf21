import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from './health.ts';
import type { Dependency } from './health.ts';
import type { Logger } from './log.ts';

type Waiting = Pick<Dependency, 'name' | 'check'> & { readonly logger: Pick<Logger, 'info' | 'warn'> };

const LOOK_EVERY_MS = 500;
/** So often the log says that it is still waited for. */
const TELL_EVERY_MS = 30_000;

/**
 * Waits for what a start cannot go on without, for as long as it takes: a process that ended instead would be started again,
 * later each time. A signal to stop ends the process meanwhile (`runService`).
 */
export async function untilAnswering({ name: dependency, check, logger }: Waiting): Promise<void> {
  const startedMs = performance.now();
  const secondsWaited = () => Math.round((performance.now() - startedMs) / 1_000);
  let toldMs = -Infinity;
  for (let reason = ''; ;) {
    const next = await check().then(() => null, reasonOf);
    if (next === null) break;
    if (next !== reason || performance.now() - toldMs >= TELL_EVERY_MS) {
      logger.warn({ dependency, reason: next, waited_s: secondsWaited() }, 'waiting for a dependency before starting');
      toldMs = performance.now();
    }
    reason = next;
    await wait(LOOK_EVERY_MS);
  }
  if (toldMs > 0) logger.info({ dependency, waited_s: secondsWaited() }, 'dependency is there: starting');
}
