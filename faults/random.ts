/** Random choices that are reproducible from a seed. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** From 1 to `max`. */
  upTo(max: number): number;
  between(min: number, max: number): number;
  oneIn(count: number): boolean;
  anyOf<T>(choices: readonly T[]): T;
  /** A separate sequence for concurrent work, so that results do not depend on timing. */
  fork(): Random;
}

/** Mulberry32: short, and random enough for test choices. */
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

/** A random sample without repetition; everything when there are no more than `count`. */
export function someOf<T>(all: T[], count: number, random: Random): T[] {
  if (count >= all.length) return all;
  const rest = [...all];
  return Array.from({ length: count }, () => rest.splice(random.upTo(rest.length) - 1, 1)[0]!);
}
