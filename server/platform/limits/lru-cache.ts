/** A map with a maximum size that drops the entries that were not used recently. */
export interface LruCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Two generations limit the memory: an entry that is still in use moves to the younger one. */
export function makeLruCache<Value>(max: number): LruCache<Value> {
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
