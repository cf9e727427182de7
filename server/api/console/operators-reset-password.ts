import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { operatorsResetPassword } from '../../../contract/console/operators.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

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
