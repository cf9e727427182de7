import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { operatorsChangeOwnPassword } from '../../../contract/console/operators.ts';
import { changeOwnPassword } from '../../domain/operators/change-own-password.ts';
import { makeGuessThrottle } from '../../platform/guess-throttle.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Guesses are throttled as they are at the sign-in: whoever sits down at a desk that was left open does not have the password. */
export function operatorsChangeOwnPasswordCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  const throttle = makeGuessThrottle();
  return consoleEndpoint(operatorsChangeOwnPassword, {
    role: 'read-only',
    audit: () => ({}),
    async handle(caller, { old_password, new_password }, request): Promise<AnswerOf<typeof operatorsChangeOwnPassword>> {
      const { username } = caller.session;
      const verdict = throttle.judge(username, request.ip, performance.now());
      if (verdict.kind === 'throttled') return { kind: 'throttled', retry_after_s: verdict.retryAfterSeconds };

      const given = { oldPassword: old_password, newPassword: new_password, actor: causeOf(caller, request).actor };
      const outcome = await changeOwnPassword(database, keyring, caller.session, given);
      if (outcome.kind === 'wrong_password') throttle.failed(username, request.ip, performance.now());
      else throttle.succeeded(username, request.ip, performance.now());
      return outcome.kind === 'changed' ? { kind: 'changed', sessions_ended: outcome.sessionsEnded } : outcome;
    },
  });
}
