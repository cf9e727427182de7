import { type OrderCancelResult, orderCancel } from '../../../contract/console/order-cancel.ts';
import type { CancelOrderOutcome } from '../../domain/orders/cancel-orders.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, type OrdersAlike, ordersOfIds } from './order-named.ts';

/** Orders of several accounts and channels, each with its own result. */
export function orderCancelCall({ database, directory, operations }: ConsoleParts): ConsoleEndpoint {
  async function cancelAlike({ accountId, isLogistics, orders }: OrdersAlike, cause: Cause): Promise<[number, CancelOrderOutcome][]> {
    const partnerNumbers = orders.map(({ partner_number }) => partner_number);
    const outcomes = await operations.cancelOrders({ accountId, isLogistics, partnerNumbers, cause });
    return orders.map(({ order_id }, index) => [order_id, outcomes[index]!]);
  }

  return consoleEndpoint(orderCancel, {
    role: 'staff',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids }, request) {
      const { alike, named } = await ordersOfIds(database, directory, order_ids);
      const outcomes = new Map((await Promise.all(alike.map((those) => cancelAlike(those, causeOf(caller, request))))).flat());
      return {
        results: order_ids.map(
          (orderId): OrderCancelResult => ({ ...named(orderId), ...(outcomes.get(orderId) ?? { kind: 'not_found' as const }) }),
        ),
      };
    },
  });
}
