import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';

const triesMax = 3;

/** For scans: a phone loses its connection between shelves. An id in the body makes the repeat harmless. */
export async function askRepeatedly<Call extends ConsoleCall>(
  path: Call['path'],
  body: BodyOf<Call>,
): Promise<AnswerOf<Call>> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask<Call>(path, body);
    } catch (error) {
      const isLost = ['network', 'unavailable'].includes((error as AskError).kind);
      if (!isLost || tries === triesMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * tries));
    }
  }
}
