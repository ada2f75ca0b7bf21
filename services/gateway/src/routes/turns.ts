import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '@pfq/kit/errors';
import { RequestAborted } from './body.ts';

type Caller = { readonly goOn: () => void; readonly giveUp: (reason: Error) => void; readonly isGone: () => boolean };

/** As many bodies as are held in memory at a time. */
const MOST_WAITING = 64;
const PAUSE_MS = 100;

/**
 * Lets callers go on one after the other, with time for everyone else in between. Throws SERVICE_UNAVAILABLE where too many
 * wait already, RequestAborted where the caller has hung up when its turn comes.
 */
export function takingTurns(): (isGone: () => boolean) => Promise<void> {
  const waiting: Caller[] = [];
  let isTaken = false;
  const serve = async () => {
    isTaken = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (next.isGone()) {
        next.giveUp(new RequestAborted());
        continue;
      }
      next.goOn();
      await nextTurn();
      await wait(PAUSE_MS);
    }
    isTaken = false;
  };
  return (isGone) =>
    new Promise((goOn, giveUp) => {
      if (waiting.length === MOST_WAITING) return giveUp(unavailable(new Error('too many large bodies wait')));
      waiting.push({ goOn, giveUp, isGone });
      if (!isTaken) void serve();
    });
}
