/** Each value once, in the order of its first appearance. */
export function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
