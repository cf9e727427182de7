import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { secretsRotate } from '../../../contract/console/secrets-rotate.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

export function secretsRotateCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secretsRotate, {
    role: 'admin',
    audit: ({ kind, owner, overlap_s }) => ({ subject: owner, ...accountOf(kind, owner), details: { kind, overlap_s } }),
    async handle(caller, { kind, owner, overlap_s }, request): Promise<AnswerOf<typeof secretsRotate>> {
      const { actor } = causeOf(caller, request);
      const outcome = await rotateSecret(database, keyring, { kind, owner }, { actor, overlapSeconds: overlap_s });
      if (outcome.kind === 'not_found') return outcome;
      const until = overlap_s === 0 ? null : taipeiInstant(outcome.previousValidUntil);
      return { kind: 'rotated', secret: { ...outcome.issued, kind }, previous_valid_until: until };
    },
  });
}

/** Of a client, only the database knows it. */
function accountOf(kind: string, owner: string): { accountNo?: string } {
  if (kind === 'account_secret') return { accountNo: owner };
  return owner.includes('/') ? { accountNo: owner.split('/', 1)[0]! } : {};
}
