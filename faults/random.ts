/** Random choices that a seed repeats. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** From 1 to `max`. */
  upTo(max: number): number;
  between(min: number, max: number): number;
  oneIn(count: number): boolean;
  anyOf<T>(choices: readonly T[]): T;
  /** Another sequence, for whoever chooses at the same time: so none depends on how fast the others are. */
  fork(): Random;
}

/** Mulberry32: short, and good enough to choose by. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    upTo: (max) => 1 + Math.floor(next() * max),
    between: (min, max) => min + next() * (max - min),
    oneIn: (count) => next() * count < 1,
    anyOf: (choices) => choices[Math.floor(next() * choices.length)]!,
    fork: () => makeRandom(next() * 2 ** 32),
  };
}
