import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { operatorsChangeOwnPassword } from '../../../contract/console/operators.ts';
import { changeOwnPassword, type OwnPasswordOutcome } from '../../domain/operators/change-own-password.ts';
import type { Throttled } from '../../platform/guess-throttle.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { changePasswordTurn } from './session-calls.ts';

/** Guesses are throttled as they are at the sign-in: a person at a desk that was left open does not have the password. */
export function operatorsChangeOwnPasswordCall({ database, keyring, throttle, checkInTurn }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsChangeOwnPassword, {
    role: 'read-only',
    audit: () => ({}),
    async handle(caller, { old_password, new_password }, request): Promise<AnswerOf<typeof operatorsChangeOwnPassword>> {
      const { username, sessionId } = caller.session;
      const given = { oldPassword: old_password, newPassword: new_password, actor: causeOf(caller, request).actor };
      // A session has one budget, from whatever address it is used.
      const guess = { name: username, address: request.ip, device: `session ${sessionId}` };
      const outcome = await checkInTurn(changePasswordTurn, evaluate);
      if (outcome?.kind === 'changed') return { kind: 'changed', sessions_ended: outcome.sessionsEnded };
      if (outcome === null || outcome.kind === 'throttled') return { kind: 'throttled', retry_after_s: outcome?.retryAfterSeconds ?? 1 };
      return outcome;

      async function evaluate(): Promise<OwnPasswordOutcome | Throttled> {
        const begun = throttle.begin(guess, performance.now());
        if (begun.kind === 'throttled') return begun;
        try {
          const changed = await changeOwnPassword(database, keyring, caller.session, given);
          if (changed.kind !== 'wrong_password') begun.succeeded();
          return changed;
        } catch (error) {
          begun.takeBack();
          throw error;
        }
      }
    },
  });
}
