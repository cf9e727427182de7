import { setTimeout as sleep } from 'node:timers/promises';

/** A smoke runs several faults at a time, perhaps beside other programs: what is slow there is not wrong. */
const quickFactor = 6;

/** A bound on time, as wide as this run needs it. */
export function patiently(milliseconds: number, quick: boolean): number {
  return quick ? quickFactor * milliseconds : milliseconds;
}

interface Wait {
  withinMs: number;
  everyMs?: number;
}

/** Whether it came to be so in time. */
export async function becomes(condition: () => boolean | Promise<boolean>, { withinMs, everyMs = 20 }: Wait): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > giveUpAt) return false;
    await sleep(everyMs);
  }
}

/** For what nothing can go on without. */
export async function until(condition: () => boolean | Promise<boolean>, wait: Wait & { what: string }): Promise<void> {
  if (!(await becomes(condition, wait))) throw new Error(`waited ${wait.withinMs / 1000} s in vain: ${wait.what}`);
}

/** What `work` comes to; it goes on, should it take too long, and nobody waits for it. */
export async function inTime<Result>(work: Promise<Result>, { withinMs, what }: { withinMs: number; what: string }): Promise<Result> {
  const giveUp = new AbortController();
  const tooLong = sleep(withinMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`waited ${withinMs / 1000} s in vain: ${what}`);
  });
  // It is given up as soon as there is a result.
  tooLong.catch(() => {});
  return await Promise.race([work, tooLong]).finally(() => giveUp.abort());
}
