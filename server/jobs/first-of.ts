/** The first values of a set, in insertion order. */
export function firstOf<T>(values: Set<T>, countMax: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length >= countMax) break;
    first.push(value);
  }
  return first;
}
