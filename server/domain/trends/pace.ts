import { setTimeout as sleep } from 'node:timers/promises';

/** The pause after a step, as a multiple of its duration: a count uses a fifth of one connection. */
const usualRestRatio = 4;

export interface Pace {
  /** Ends the count after the current step. */
  stopping?: AbortSignal;
  restRatio?: number;
}

/** Runs a step of a count, and then pauses. */
export async function paced<T>({ stopping, restRatio = usualRestRatio }: Pace, step: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await step();
  await sleep(restRatio * (performance.now() - startedAtMs), undefined, { signal: stopping }).catch(() => {});
  return result;
}
