import type { Tx } from '../../platform/postgres/sql.ts';
import { type FormatCallback, type NotifiedDocument, type OwedCallback, owedCallback } from '../callbacks/callback.ts';
import type { OrderEvent } from './order.ts';
import type { LockedOrder, OrderName } from './order-queries.ts';
import { findNotifiedItems, findNotifiedOrders } from './shipping-order-queries.ts';

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
 * Reads what the partners of these orders would be notified of if the event happens. Only orders of the logistics
 * webhook have notifications.
 */
export async function findOrderNotifications(
  tx: Tx,
  names: OrderName[],
  event: OrderEvent,
): Promise<OrderNotifications> {
  const ofLogistics = names.filter((name) => name.isLogistics);
  if (ofLogistics.length === 0) return { callbackFor: () => [] };
  const [orders, items] = await Promise.all([
    findNotifiedOrders(tx, ofLogistics, event),
    findNotifiedItems(tx, ofLogistics, event),
  ]);
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
      return [owedCallback(document, target, { sequence: target.callbackCount + 1, now, format })];
    },
  };
}
