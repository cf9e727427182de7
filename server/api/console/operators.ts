import type { AnswerOf } from '../../../contract/console/console-call.ts';
import {
  operatorsChangeOwnPassword,
  operatorsList,
  operatorsResetPassword,
} from '../../../contract/console/operators.ts';
import { changeOwnPassword, type OwnPasswordOutcome } from '../../domain/operators/change-own-password.ts';
import { listOperatorRows } from '../../domain/operators/operator-queries.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import type { Throttled } from '../../platform/limits/brute-force-limiter.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners } from './partners.ts';
import { changePasswordTurn } from './sessions.ts';

export function operatorEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [operatorsListCall(parts), operatorsResetPasswordCall(parts), operatorsChangeOwnPasswordCall(parts)];
}

function operatorsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsList, {
    role: 'admin',
    audit: null,
    async handle({ session }) {
      const { rows, is_cut } = await listPartners(parts, listOperatorRows);
      const open = Map.groupBy(await parts.sessions.listOpen(session), ({ username }) => username);
      return { rows: rows.map((row) => ({ ...row, open_sessions: open.get(row.username)?.length ?? 0 })), is_cut };
    },
  });
}

function operatorsResetPasswordCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsResetPassword, {
    role: 'admin',
    audit: ({ username }) => ({ subject: username }),
    async handle(caller, { username }, request): Promise<AnswerOf<typeof operatorsResetPassword>> {
      if (username === caller.session.username) return { kind: 'own' };
      const { actor } = causeOf(caller, request);
      const secret = { kind: 'operator_password', owner: username } as const;
      const outcome = await rotateSecret(database, keyring, secret, { actor, overlapSeconds: 0 });
      return outcome.kind === 'rotated'
        ? { kind: 'reset', secret: { ...secret, value: outcome.issued.value } }
        : outcome;
    },
  });
}

/** Guesses are throttled as at the sign-in, because an unattended session does not prove the password. */
function operatorsChangeOwnPasswordCall({
  database,
  keyring,
  bruteForceLimiter,
  checkInTurn,
}: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsChangeOwnPassword, {
    role: 'read-only',
    audit: () => ({}),
    async handle(
      caller,
      { old_password, new_password },
      request,
    ): Promise<AnswerOf<typeof operatorsChangeOwnPassword>> {
      const { username, sessionId } = caller.session;
      const given = { oldPassword: old_password, newPassword: new_password, actor: causeOf(caller, request).actor };
      // A session has one budget for all its addresses.
      const guess = { name: username, address: request.ip, device: `session ${sessionId}` };
      const outcome = await checkInTurn(changePasswordTurn, evaluate);
      if (outcome?.kind === 'changed') return { kind: 'changed', sessions_ended: outcome.sessionsEnded };
      if (outcome === null || outcome.kind === 'throttled')
        return { kind: 'throttled', retry_after_s: outcome?.retryAfterSeconds ?? 1 };
      return outcome;

      async function evaluate(): Promise<OwnPasswordOutcome | Throttled> {
        const begun = bruteForceLimiter.begin(guess, performance.now());
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
