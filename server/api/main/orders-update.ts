import { OrdersUpdateBody, type OrdersUpdateResult } from '../../../contract/main/orders-update.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done } from '../../http/done-envelope.ts';
import { fieldsGiven } from '../order-changes.ts';
import { formatChange, nameOf } from './change-orders.ts';
import { actorOf, operation } from './main-contract.ts';

/** Changes orders that their warehouse does not have yet, each with its own result. */
export function ordersUpdate({ changeOrders }: Pick<DomainOperations, 'changeOrders'>) {
  return operation('orders.write', {
    path: '/orders/update',
    body: OrdersUpdateBody,
    async handle(caller, { orders }, request) {
      const outcomes = await changeOrders({
        accountId: caller.account.accountId,
        entries: orders.map((entry) => ({
          ...nameOf(entry),
          change: { kind: 'update' as const, fields: fieldsGiven(entry) },
        })),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      const results: OrdersUpdateResult[] = outcomes.map((outcome, index) =>
        formatChange(outcome, orders[index]!, 'updated'),
      );
      return done({ results });
    },
  });
}
