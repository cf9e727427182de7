import { type PushedNow, systemPushNow } from '../../../contract/console/system-push-now.ts';
import { pushByHand } from '../../domain/orders/transfer-orders.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** So that whoever waits sees how far it is, however many there are. */
const workMaxMs = 1500;

export function systemPushNowCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemPushNow, {
    role: 'staff',
    audit: ({ warehouse_no }) => ({ subject: `warehouse ${warehouse_no}` }),
    async handle(caller, { warehouse_no }, request): Promise<PushedNow> {
      const outcome = await pushByHand(database, warehouse_no, causeOf(caller, request), { workMaxMs });
      if (outcome.kind === 'transferred') return { kind: 'transferred', count: outcome.count, has_more: outcome.hasMore };
      return outcome.kind === 'hastened' ? { kind: 'hastened' } : outcome;
    },
  });
}
