import { accountsOf } from '../../platform/postgres/per-account.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findCallbackAddresses } from '../callbacks/account-callback-queries.ts';
import { currentTarget } from '../callbacks/account-callbacks.ts';
import {
  type FormatCallback,
  type NotifiedDocument,
  type NotifiedItem,
  type OwedCallback,
  owedCallback,
} from '../callbacks/callback.ts';
import type { OrderEvent } from './order.ts';
import type { LockedOrder, OrderName } from './order-queries.ts';
import {
  findDirectOrders,
  findItemsOf,
  findNotifiedItems,
  findNotifiedOrders,
  type NotifiedOrder,
} from './shipping-order-queries.ts';

/** The notifications for the partners of these orders. */
export interface OrderNotifications {
  /** Empty if the partner does not want notifications. */
  callbackFor(
    order: LockedOrder,
    how: { now: Date; format: FormatCallback },
    details?: Pick<NotifiedDocument, 'shipped' | 'undelivered'>,
  ): OwedCallback[];
}

/**
 * Reads what the partners of these orders would be notified of if the event, or one of the events, happens. Only orders of the logistics
 * webhook name an address; `alsoOfAccounts` adds the others.
 */
export async function findOrderNotifications(
  tx: Tx,
  names: OrderName[],
  event: OrderEvent | OrderEvent[],
): Promise<OrderNotifications> {
  const ofLogistics = names.filter((name) => name.isLogistics);
  if (ofLogistics.length === 0) return { callbackFor: () => [] };
  const [orders, items] = await Promise.all([
    findNotifiedOrders(tx, ofLogistics, event),
    findNotifiedItems(tx, ofLogistics, event),
  ]);
  return notificationsOf(orders, items);
}

/**
 * Adds the orders of the other channels that have changed. Their addresses are those that account and tenants have now.
 * They are read after the decision, and only if the account has callbacks: other accounts have no statement more.
 */
export async function alsoOfAccounts(
  tx: Tx,
  ofLogistics: OrderNotifications,
  changed: LockedOrder[],
): Promise<OrderNotifications> {
  const direct = changed.filter((order) => order.usesCallbacks);
  if (direct.length === 0) return ofLogistics;
  const [orders, items, addressesOf] = await Promise.all([
    findDirectOrders(tx, direct),
    findItemsOf(tx, direct),
    findCallbackAddresses(tx, accountsOf(direct)),
  ]);
  const accountOf = new Map(direct.map(({ orderId, accountId }) => [orderId, accountId]));
  const notified = orders.flatMap(({ signer, ...order }) => {
    const target = currentTarget(signer, addressesOf(accountOf.get(order.orderId)!));
    return target ? [{ ...order, ...target, name: null, note: null }] : [];
  });
  const ofAccounts = notificationsOf(notified, items);
  return {
    callbackFor: (order, ...how) => (order.usesCallbacks ? ofAccounts : ofLogistics).callbackFor(order, ...how),
  };
}

function notificationsOf(orders: NotifiedOrder[], items: (NotifiedItem & { orderId: number })[]): OrderNotifications {
  const itemsOf = Map.groupBy(items, (item) => item.orderId);
  const notifiedOf = new Map(orders.map((order) => [order.orderId, order]));

  return {
    callbackFor({ orderId, accountId, partnerNumber, status, shipmentNo, carrier }, { now, format }, details) {
      const target = notifiedOf.get(orderId);
      if (!target) return [];
      const document = {
        ...{
          accountId,
          type: 'order' as const,
          documentId: orderId,
          partnerNumber,
          internalNo: partnerNumber,
          ourNo: target.orderNo,
        },
        name: target.name,
        status,
        shipmentNo,
        carrier,
        ...details,
        items: itemsOf.get(orderId) ?? [],
        note: target.note,
      };
      // Several events of an order may be in one group.
      target.callbackCount += 1;
      return [owedCallback(document, target, { sequence: target.callbackCount, now, format })];
    },
  };
}
