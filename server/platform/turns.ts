/** Does the work when it is its turn; null where too many of the same key wait already. */
export type Turns = <T>(key: number, work: () => Promise<T>) => Promise<T | null>;

/** For each key so many at a time, the others wait in the order of coming: whoever asks much waits for themselves. */
export function makeTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Turns {
  const lines = new Map<number, { busy: number; waiting: (() => void)[] }>();

  function enter(key: number): Promise<void> | null {
    const line = lines.get(key) ?? { busy: 0, waiting: [] };
    lines.set(key, line);
    if (line.busy < atOnce) {
      line.busy++;
      return Promise.resolve();
    }
    if (line.waiting.length >= waitingMax) return null;
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  function leave(key: number): void {
    const line = lines.get(key)!;
    const next = line.waiting.shift();
    if (next) next();
    else if (line.busy > 1) line.busy--;
    else lines.delete(key);
  }

  return async (key, work) => {
    const turn = enter(key);
    if (turn === null) return null;
    await turn;
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
