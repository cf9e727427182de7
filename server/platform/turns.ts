/** Does the work when it is its turn; null where too many of the same key wait already, or its turn does not come in time. */
export type Turns = <T>(key: number, work: () => Promise<T>) => Promise<T | null>;

/** For each key so many at a time, the others wait in the order of coming: whoever asks much waits for themselves. */
export function makeTurns({ atOnce, waitingMax, waitMaxMs }: { atOnce: number; waitingMax: number; waitMaxMs: number }): Turns {
  const lines = new Map<number, { busy: number; waiting: Set<() => void> }>();

  /** Whether it has a turn. */
  async function enter(key: number): Promise<boolean> {
    const line = lines.get(key) ?? { busy: 0, waiting: new Set() };
    lines.set(key, line);
    if (line.busy < atOnce) {
      line.busy++;
      return true;
    }
    if (line.waiting.size >= waitingMax) return false;
    return await new Promise((resolve) => {
      const begin = () => {
        clearTimeout(patience);
        resolve(true);
      };
      const patience = setTimeout(() => resolve(!line.waiting.delete(begin)), waitMaxMs);
      line.waiting.add(begin);
    });
  }

  function leave(key: number): void {
    const line = lines.get(key)!;
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
    } else if (line.busy > 1) line.busy--;
    else lines.delete(key);
  }

  return async (key, work) => {
    if (!(await enter(key))) return null;
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
