import type { Incoming } from '../../http/incoming.ts';
import type { ConsoleCaller } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Sign-ins do not wait behind operators who change their passwords. */
export const signInTurn = 0;
const inSessionTurn = 1;
const wrongKinds = ['wrong_password', 'wrong_code'];

/**
 * Evaluates a password or code that a signed-in operator gives. Guesses are limited as at the sign-in, because an
 * unattended session proves neither. A session has one budget for all its addresses.
 */
export async function guessInSession<Outcome extends { kind: string }>(
  { bruteForceLimiter, checkInTurn }: Pick<ConsoleParts, 'bruteForceLimiter' | 'checkInTurn'>,
  { session: { username, sessionId } }: ConsoleCaller,
  request: Incoming,
  attempt: () => Promise<Outcome>,
): Promise<Outcome | { kind: 'throttled'; retry_after_s: number }> {
  const guess = { name: username, address: request.ip, device: `session ${sessionId}` };
  const evaluated = await checkInTurn(inSessionTurn, async () => {
    const begun = bruteForceLimiter.begin(guess, performance.now());
    if (begun.kind === 'throttled') return { kind: 'throttled' as const, retry_after_s: begun.retryAfterSeconds };
    try {
      const outcome = await attempt();
      // Only a sign-in clears wrong guesses: one proof must not clear wrong guesses at another.
      if (!wrongKinds.includes(outcome.kind)) begun.takeBack();
      return outcome;
    } catch (error) {
      begun.takeBack();
      throw error;
    }
  });
  return evaluated ?? { kind: 'throttled', retry_after_s: 1 };
}
