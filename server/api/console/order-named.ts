import type { NamedOrder } from '../../../contract/console/order-cancel.ts';
import { findOrdersById, type OrderById } from '../../domain/orders/order-detail-queries.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Database } from '../../platform/database.ts';
import { ProblemError } from '../problem.ts';
import type { AuditedAction } from './console-contract.ts';
import { accountNosOf } from './console-list.ts';

/** Pages name orders by their ids, operations by their partners' numbers. Those of one account and kind of number are handled together. */
export interface OrdersAlike {
  accountId: number;
  isLogistics: boolean;
  orders: OrderById[];
}

export interface OrdersOfIds {
  alike: OrdersAlike[];
  byId: Map<number, OrderById>;
  /** What a result says of which order it is about. */
  named(orderId: number): NamedOrder;
}

export async function ordersOfIds(database: Database, directory: AccountDirectory, orderIds: number[]): Promise<OrdersOfIds> {
  // An account may have been made just now.
  await directory.allNow();
  const accountNoOf = accountNosOf(directory);
  const found = await database.read((sql) => findOrdersById(sql, orderIds));
  const byId = new Map(found.map((order) => [order.order_id, order]));
  const groups = Map.groupBy(found, ({ account_id, channel }) => `${account_id}/${channel === 'logistics'}`);
  return {
    alike: [...groups.values()].map((orders) => ({
      accountId: orders[0]!.account_id,
      isLogistics: orders[0]!.channel === 'logistics',
      orders,
    })),
    byId,
    named(orderId) {
      const order = byId.get(orderId);
      if (!order) return { order_id: orderId, account_no: null, order_no: null, partner_number: null };
      const { account_id, order_no, partner_number } = order;
      return { order_id: orderId, account_no: accountNoOf(account_id), order_no, partner_number };
    },
  };
}

export function auditedOrders(orderIds: number[], details: Record<string, unknown> = {}): AuditedAction {
  return { ...(orderIds.length === 1 ? { subject: `order ${orderIds[0]}` } : {}), details: { order_ids: orderIds, ...details } };
}

/** `cancelled 2, too_late 1`. */
export function countKinds(results: { kind: string }[]): string {
  return [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, those]) => `${kind} ${those.length}`).join(', ');
}

export function noSuchOrder(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: 'there is no such order' });
}
