import { BoundedQueue } from './bounded-queue.ts';
import type { SharedCounts } from './shared-counts.ts';

/**
 * Runs the work when its key has capacity. Returns null if too many of this key wait already, or if it waited too long.
 */
export type PerKeyLimiter = <T>(key: number, work: () => Promise<T>) => Promise<T | null>;

interface PerKeyLimits {
  atOnce: number;
  waitingMax: number;
  waitMaxMs: number;
}

/** The equal part of a process in the limits of its node. A process always runs one piece of work at a time. */
export function shareOf(limits: PerKeyLimits, { processes }: SharedCounts): PerKeyLimits {
  return { ...limits, atOnce: Math.max(1, Math.floor(limits.atOnce / processes)) };
}

/**
 * Runs at most `atOnce` pieces of work per key at the same time, the others in the order of arrival. A busy key delays
 * itself only.
 */
export function makePerKeyLimiter({ atOnce, waitingMax, waitMaxMs }: PerKeyLimits): PerKeyLimiter {
  const lines = new Map<number, { busy: number; waiting: BoundedQueue<() => void> }>();

  /** Resolves to false if the work may not start. */
  async function enter(key: number): Promise<boolean> {
    const line = lines.get(key) ?? { busy: 0, waiting: new BoundedQueue(waitingMax) };
    lines.set(key, line);
    if (line.busy < atOnce) {
      line.busy++;
      return true;
    }
    if (line.waiting.isFull) return false;
    return await new Promise((resolve) => {
      const start = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => resolve(!line.waiting.remove(start)), waitMaxMs);
      line.waiting.add(start);
    });
  }

  /** Hands the place over to the next waiter, if there is one. */
  function leave(key: number): void {
    const line = lines.get(key)!;
    const startNext = line.waiting.takeFirst();
    if (startNext) startNext();
    else if (line.busy > 1) line.busy--;
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
