import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { operatorsChangeOwnPassword, operatorsList, operatorsResetPassword } from '../../../contract/console/operators.ts';
import { partnersListedMax } from '../../../contract/console/partner-values.ts';
import { changeOwnPassword } from '../../domain/operators/change-own-password.ts';
import { listOperatorRows } from '../../domain/operators/operator-queries.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import { makeGuessThrottle } from '../../platform/guess-throttle.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listed } from './partner-lists.ts';

export function operatorsListCall({ database, sessions }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsList, {
    role: 'admin',
    audit: null,
    async handle({ session }) {
      const rows = await database.read((sql) => listOperatorRows(sql, partnersListedMax + 1));
      const open = Map.groupBy(await sessions.listOpen(session), ({ username }) => username);
      return listed(rows.map((row) => ({ ...row, open_sessions: open.get(row.username)?.length ?? 0 })));
    },
  });
}

export function operatorsResetPasswordCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsResetPassword, {
    role: 'admin',
    audit: ({ username }) => ({ subject: username }),
    async handle(caller, { username }, request): Promise<AnswerOf<typeof operatorsResetPassword>> {
      if (username === caller.session.username) return { kind: 'own' };
      const { actor } = causeOf(caller, request);
      const secret = { kind: 'operator_password', owner: username } as const;
      const outcome = await rotateSecret(database, keyring, secret, { actor, overlapSeconds: 0 });
      return outcome.kind === 'rotated' ? { kind: 'reset', secret: { ...secret, value: outcome.issued.value } } : outcome;
    },
  });
}

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
