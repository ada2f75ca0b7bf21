import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 100;

/** Lets callers go on one after the other, with time for everyone else in between. */
export function takingTurns(): () => Promise<void> {
  let previous: Promise<void> = Promise.resolve();
  return () => {
    const turn = previous;
    previous = turn.then(() => nextTurn()).then(() => wait(PAUSE_MS));
    return turn;
  };
}
