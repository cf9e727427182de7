import { OrdersHoldBody, type OrdersHoldResult } from '../../../contract/main/orders-hold.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done } from '../../http/done-envelope.ts';
import { formatChange, nameOf } from './change-orders.ts';
import { actorOf, operation } from './main-contract.ts';

/** Holds orders, so that they are not handed over to their warehouse, each with its own result. */
export function ordersHold({ changeOrders }: Pick<DomainOperations, 'changeOrders'>) {
  return operation('orders.write', {
    path: '/orders/hold',
    body: OrdersHoldBody,
    async handle(caller, { orders }, request) {
      const outcomes = await changeOrders({
        accountId: caller.account.accountId,
        entries: orders.map((entry) => ({
          ...nameOf(entry),
          change: { kind: 'hold' as const, reason: entry.reason ?? null },
        })),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      const results: OrdersHoldResult[] = outcomes.map((outcome, index) =>
        formatChange(outcome, orders[index]!, 'held'),
      );
      return done({ results });
    },
  });
}
