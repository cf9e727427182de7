import { type PushedNow, systemPushNow } from '../../../contract/console/system-push-now.ts';
import { pushByHand } from '../../domain/orders/transfer-orders.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

export function systemPushNowCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemPushNow, {
    role: 'staff',
    audit: ({ warehouse_no }) => ({ subject: `warehouse ${warehouse_no}` }),
    async handle(caller, { warehouse_no }, request): Promise<PushedNow> {
      const outcome = await pushByHand(database, warehouse_no, causeOf(caller, request));
      return outcome.kind === 'hastened' ? { kind: 'hastened' } : outcome;
    },
  });
}
