import { setImmediate as others } from 'node:timers/promises';

/**
 * Sends statements that take long to build, each in its own turn of the event loop, so that other work runs in between.
 * Does not wait for their results.
 */
export async function sendInTurns(statements: (() => Promise<unknown>)[]): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  for (const send of statements) {
    await others();
    const answer = send();
    // A statement may fail before the last one is sent, and only then does the caller handle the rejection.
    answer.catch(() => {});
    sent.push(answer);
  }
  return sent;
}
