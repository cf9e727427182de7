/** Looks a thing up and remembers it for a moment; many who ask at once share one look-up. */
export interface ReadThroughCache<Value> {
  get(key: string): Promise<Value>;
}

interface Entry<Value> {
  loadedAtMs: number;
  value: Promise<Value>;
}

export function makeReadThroughCache<Value>(options: {
  load: (key: string) => Promise<Value>;
  freshSeconds: number;
  entriesMax: number;
}): ReadThroughCache<Value> {
  const { load, freshSeconds, entriesMax } = options;
  const entries = new Map<string, Entry<Value>>();

  function remember(key: string, nowMs: number): Promise<Value> {
    // Oldest out: what is asked for often is loaded anew every moment, and so is never the oldest for long.
    if (entries.size >= entriesMax) entries.delete(entries.keys().next().value as string);
    const value = load(key);
    const entry = { loadedAtMs: nowMs, value };
    entries.delete(key);
    entries.set(key, entry);
    value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return value;
  }

  return {
    get(key) {
      const nowMs = performance.now();
      const entry = entries.get(key);
      return entry && nowMs - entry.loadedAtMs < freshSeconds * 1000 ? entry.value : remember(key, nowMs);
    },
  };
}
