import type { AnswerOf } from '../../../contract/console/console-call.ts';
import {
  type SecondFactorState,
  secondFactorBegin,
  secondFactorConfirm,
  secondFactorRemove,
  secondFactorState,
} from '../../../contract/console/second-factor.ts';
import { needsTotp } from '../../domain/operators/operator.ts';
import type { ConsoleCaller, ConsoleEndpoint } from './console-contract.ts';
import { causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { guessInSession } from './guess-in-session.ts';
import { toTooManyCodes } from './sessions.ts';

/** The operator's own one-time codes. */
export function secondFactorEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [stateCall(parts), beginCall(parts), confirmCall(parts), removeCall(parts)];
}

const own = { role: 'read-only', warehouses: 'any', audit: () => ({}), isBeforeEnrolment: true } as const;

function isRequired({ session }: ConsoleCaller, { signIn }: ConsoleParts): boolean {
  return session.signedInWith === 'password' && needsTotp(session.role, signIn.requireTotp);
}

function stateCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secondFactorState, {
    ...own,
    audit: null,
    async handle(caller): Promise<SecondFactorState> {
      const { enrolledAt, recoveryCodesLeft } = await parts.secondFactor.stateOf(caller.session.username);
      return {
        kind: 'state',
        enrolled_at: enrolledAt,
        recovery_codes_left: recoveryCodesLeft,
        is_required: isRequired(caller, parts),
        is_offered: caller.session.signedInWith === 'password',
      };
    },
  });
}

function beginCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secondFactorBegin, {
    ...own,
    async handle(caller, { password, code = null }, request): Promise<AnswerOf<typeof secondFactorBegin>> {
      const outcome = await guessInSession(parts, caller, request, () =>
        parts.secondFactor.begin(caller.session, { password, code }),
      );
      if (outcome.kind === 'too_many_codes') return toTooManyCodes(outcome);
      return outcome.kind === 'begun' ? { kind: 'begun', ...outcome.enrolment } : outcome;
    },
  });
}

function confirmCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secondFactorConfirm, {
    ...own,
    async handle(caller, { ticket, code }, request): Promise<AnswerOf<typeof secondFactorConfirm>> {
      const { actor } = causeOf(caller, request);
      const outcome = await guessInSession(parts, caller, request, () =>
        parts.secondFactor.confirm(caller.session, { ticket, code, actor }),
      );
      if (outcome.kind !== 'confirmed') return outcome;
      const { recoveryCodes: recovery_codes, sessionsEnded: sessions_ended } = outcome;
      return { kind: 'confirmed', recovery_codes, sessions_ended };
    },
  });
}

function removeCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secondFactorRemove, {
    ...own,
    async handle(caller, { password, code = null }, request): Promise<AnswerOf<typeof secondFactorRemove>> {
      if (isRequired(caller, parts)) return { kind: 'required' };
      const { actor } = causeOf(caller, request);
      const outcome = await guessInSession(parts, caller, request, () =>
        parts.secondFactor.remove(caller.session, { password, code }, actor),
      );
      return outcome.kind === 'too_many_codes' ? toTooManyCodes(outcome) : outcome;
    },
  });
}
