import { reason } from '../../../messages/reason-texts.ts';
import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Contract } from '../../http/endpoint.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnoser } from '../../signature-doctor/diagnose-in-background.ts';
import { warehouseFormat } from './envelope.ts';
import { checkSignature } from './signature.ts';

export type WarehouseCaller = KnownAccount;

/**
 * The contract of signed requests: checks that the API is enabled, authenticates the account, checks that the API is
 * enabled for it, and only then reads the body.
 */
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
    ...warehouseFormat,
    async authenticate(request, body) {
      if (!enabled) throw new ProblemError({ kind: 'not_enabled', reason: reason('warehouse_api_off') });
      const check = await checkSignature(request.headers, body, directory, clock);
      if (check.kind === 'refused') {
        // Shows the operator whose signatures fail; only registered account numbers are logged.
        request.record.accountNo = check.claimedBy ?? null;
        request.record.diagnose = diagnoser.take({
          headers: request.headers,
          url: request.url,
          body,
          refusedAt: clock.now(),
        });
        throw new ProblemError({ kind: 'unauthorized', reason: check.reason });
      }

      const { account } = check;
      request.record.accountNo = account.accountNo;
      if (!account.enabled || !account.warehouseApi) {
        throw new ProblemError({
          kind: 'not_enabled',
          reason: reason(account.enabled ? 'account_warehouse_api_off' : 'account_disabled'),
        });
      }
      return account;
    },
  };
}
