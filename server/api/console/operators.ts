import type { AnswerOf } from '../../../contract/console/console-call.ts';
import {
  operatorsChangeOwnPassword,
  operatorsList,
  operatorsResetPassword,
  operatorsResetTotp,
} from '../../../contract/console/operators.ts';
import { changeOwnPassword } from '../../domain/operators/change-own-password.ts';
import { listOperatorRows } from '../../domain/operators/operator-queries.ts';
import { resetSecondFactor } from '../../domain/operators/second-factor.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { guessInSession } from './guess-in-session.ts';
import { filterPartners, isWanted } from './partner-filters.ts';
import { listPartners } from './partners.ts';

export function operatorEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    operatorsListCall(parts),
    operatorsResetPasswordCall(parts),
    operatorsChangeOwnPasswordCall(parts),
    operatorsResetTotpCall(parts),
  ];
}

function operatorsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsList, {
    role: 'admin',
    audit: null,
    async handle({ session }, { role, ...filters }) {
      const { rows: all, is_cut } = await listPartners(parts, listOperatorRows);
      const named = filterPartners(all, filters, ({ username }) => [username]);
      const rows = named.filter((row) => isWanted(row.role, role));
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

function operatorsChangeOwnPasswordCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsChangeOwnPassword, {
    role: 'read-only',
    warehouses: 'any',
    audit: () => ({}),
    async handle(
      caller,
      { old_password, new_password },
      request,
    ): Promise<AnswerOf<typeof operatorsChangeOwnPassword>> {
      const { actor } = causeOf(caller, request);
      const given = { oldPassword: old_password, newPassword: new_password, actor };
      const outcome = await guessInSession(parts, caller, request, () =>
        changeOwnPassword(parts.database, parts.keyring, caller.session, given),
      );
      return outcome.kind === 'changed' ? { kind: 'changed', sessions_ended: outcome.sessionsEnded } : outcome;
    },
  });
}

/** One's own codes are removed under My sessions, with the password and a code. */
function operatorsResetTotpCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsResetTotp, {
    role: 'admin',
    audit: ({ username }) => ({ subject: username }),
    async handle(caller, { username }, request): Promise<AnswerOf<typeof operatorsResetTotp>> {
      if (username === caller.session.username) return { kind: 'own' };
      const outcome = await resetSecondFactor(database, username, causeOf(caller, request).actor);
      return outcome.kind === 'reset' ? { kind: 'reset', sessions_ended: outcome.sessionsEnded } : outcome;
    },
  });
}
