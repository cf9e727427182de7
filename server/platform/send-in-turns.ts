import { setImmediate as others } from 'node:timers/promises';

/** Sends statements that take long to put together, each in a turn of its own: others have theirs in between. None is waited for. */
export async function sendInTurns(statements: (() => Promise<unknown>)[]): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  for (const send of statements) {
    await others();
    const answer = send();
    // It may fail before the last one is sent, and only then somebody listens.
    answer.catch(() => {});
    sent.push(answer);
  }
  return sent;
}
