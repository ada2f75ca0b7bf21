/** Numbers that look random and are the same every time. */
export type SeededRandom = {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
  /** True once in so many times. */
  readonly oneIn: (count: number) => boolean;
};

/** Mulberry32: 32 bits of state, plenty for test data. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(fraction() * bound);
  return {
    below,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    oneIn: (count) => below(count) === 0,
  };
}
