import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Contract } from '../contract.ts';
import { ProblemError } from '../problem.ts';
import type { Diagnoser } from './diagnose-in-background.ts';
import { wordWarehouseProblem } from './envelope.ts';
import { checkSignature } from './signature.ts';

export type WarehouseCaller = KnownAccount;

/** Signed requests: is it enabled at all, who is it, is it enabled for them; only then is the body read. */
export function makeWarehouseContract(options: {
  prefix: string;
  enabled: boolean;
  directory: AccountDirectory;
  clock: Clock;
  diagnoser: Diagnoser;
}): Contract<WarehouseCaller> {
  const { prefix, enabled, directory, clock, diagnoser } = options;
  return {
    name: 'warehouse',
    prefix,
    word: wordWarehouseProblem,
    async authenticate(request, body) {
      if (!enabled) throw new ProblemError({ kind: 'not_enabled', reason: 'WAREHOUSE_API is off' });
      const check = await checkSignature(request.headers, body, directory, clock);
      if (check.kind === 'refused') {
        // So that the operator sees whose signatures fail; only a registered number is written down.
        request.call.accountNo = check.claimedBy ?? null;
        request.call.diagnose = diagnoser.take({ headers: request.headers, url: request.url, body, refusedAt: clock.now() });
        throw new ProblemError({ kind: 'unauthorized', reason: check.reason });
      }

      const { account } = check;
      request.call.accountNo = account.accountNo;
      if (!account.enabled || !account.warehouseApi) {
        throw new ProblemError({
          kind: 'not_enabled',
          reason: account.enabled ? 'warehouse_api of the account is off' : 'the account is disabled',
        });
      }
      return account;
    },
  };
}
