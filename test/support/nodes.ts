import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a change of a partner has reached the nodes; the contract gives them 5 s. */
export async function within5Seconds(what: string, isMet: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + 5000;
  while (!(await isMet())) {
    assert.ok(performance.now() < giveUpAtMs, `not within 5 s: ${what}`);
    await sleep(50);
  }
}
