/** A map that forgets what has not been used for long, so that it never holds more than its maximum. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Two generations bound the memory: what is still in use moves on to the younger one. */
export function makeRecentMap<Value>(max: number): RecentMap<Value> {
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();

  function set(key: string, value: Value): void {
    if (younger.size >= max / 2) {
      older = younger;
      younger = new Map();
    }
    younger.set(key, value);
  }

  return {
    get(key) {
      const young = younger.get(key);
      if (young !== undefined) return young;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    set,
    delete(key) {
      younger.delete(key);
      older.delete(key);
    },
  };
}
