import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a change of a partner has reached the nodes, however busy the machine is; if it never does, the test times
 * out. The contract gives the nodes 5 s: a directory that is older asks the database (`follow-changes.ts`).
 */
export async function eventually(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await sleep(50);
}
