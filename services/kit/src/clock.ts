/** Milliseconds since 1970-01-01 UTC, with a fraction; handed to whatever needs the time, so that tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => performance.timeOrigin + performance.now();
