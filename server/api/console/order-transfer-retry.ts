import { orderTransferRetry, type TransferRetryResult } from '../../../contract/console/order-transfer-retry.ts';
import { letRejectedWait } from '../../domain/orders/transfer-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, ordersOfIds } from './order-named.ts';

export function orderTransferRetryCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderTransferRetry, {
    role: 'admin',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(_caller, { order_ids }) {
      const { byId, named } = await ordersOfIds(database, directory, order_ids);
      // One that was cancelled after it was put aside stays as it is.
      const pending = order_ids.filter((orderId) => byId.get(orderId)?.status === 'pending_warehouse_transfer');
      const waiting = new Set(await database.transaction((tx) => letRejectedWait(tx, pending)));
      const kindOf = (orderId: number) => (waiting.has(orderId) ? 'waiting' : byId.has(orderId) ? 'not_rejected' : 'not_found');
      return { results: order_ids.map((orderId): TransferRetryResult => ({ ...named(orderId), kind: kindOf(orderId) })) };
    },
  });
}
