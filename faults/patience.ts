import { setTimeout as sleep } from 'node:timers/promises';

/** Quick runs execute several faults at once, possibly beside other programs, so slowness is not an error there. */
const quickFactor = 6;

/** Widens a time limit for quick runs. */
export function extendForQuickRun(milliseconds: number, quick: boolean): number {
  return quick ? quickFactor * milliseconds : milliseconds;
}

interface Wait {
  withinMs: number;
  everyMs?: number;
}

/** Polls until the condition is true; returns false if it is not true in time. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 20 }: Wait,
): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > giveUpAt) return false;
    await sleep(everyMs);
  }
}

/** Polls until the condition is true; throws if it is not true in time. */
export async function until(condition: () => boolean | Promise<boolean>, wait: Wait & { what: string }): Promise<void> {
  if (!(await eventually(condition, wait))) throw new Error(`timed out after ${wait.withinMs / 1000} s: ${wait.what}`);
}

/** Returns the result of `work`, or throws after the time limit. It does not stop `work`. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  { withinMs, what }: { withinMs: number; what: string },
): Promise<Result> {
  const giveUp = new AbortController();
  const tooLong = sleep(withinMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`timed out after ${withinMs / 1000} s: ${what}`);
  });
  // The rejection of an aborted timer is not an error.
  tooLong.catch(() => {});
  return await Promise.race([work, tooLong]).finally(() => giveUp.abort());
}
