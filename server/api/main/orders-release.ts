import { OrdersReleaseBody, type OrdersReleaseResult } from '../../../contract/main/orders-release.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done } from '../../http/done-envelope.ts';
import { formatChange, nameOf } from './change-orders.ts';
import { actorOf, operation } from './main-contract.ts';

/** Releases orders that are on hold, each with its own result. */
export function ordersRelease({ changeOrders }: Pick<DomainOperations, 'changeOrders'>) {
  return operation('orders.write', {
    path: '/orders/release',
    body: OrdersReleaseBody,
    async handle(caller, { orders }, request) {
      const outcomes = await changeOrders({
        accountId: caller.account.accountId,
        entries: orders.map((entry) => ({
          ...nameOf(entry),
          change: { kind: 'release' as const },
        })),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      const results: OrdersReleaseResult[] = outcomes.map((outcome, index) =>
        formatChange(outcome, orders[index]!, 'released'),
      );
      return done({ results });
    },
  });
}
