import type { Tx } from '../../platform/database.ts';
import { type OwedCallback, owedCallback, type WordCallback } from '../callbacks/callback.ts';
import type { OrderEvent } from './order.ts';
import type { LockedOrder, OrderName } from './order-queries.ts';
import { findToldItems, findToldOrders } from './shipping-order-queries.ts';

/** What partners are to be told of their orders. */
export interface Told {
  /** None for an order whose partner does not want to be told. */
  callbackFor(order: LockedOrder, how: { now: Date; word: WordCallback }): OwedCallback[];
}

/** Looks for what the partners of these orders would be told, if the event happens. Only orders of the logistics webhook are told of. */
export async function findTold(tx: Tx, names: OrderName[], event: OrderEvent): Promise<Told> {
  const ofLogistics = names.filter((name) => name.isLogistics);
  if (ofLogistics.length === 0) return { callbackFor: () => [] };
  const [orders, items] = await Promise.all([findToldOrders(tx, ofLogistics, event), findToldItems(tx, ofLogistics, event)]);
  const itemsOf = Map.groupBy(items, (item) => item.orderId);
  const toldOf = new Map(orders.map((order) => [order.orderId, order]));

  return {
    callbackFor({ orderId, accountId, partnerNumber, status, shipmentNo, carrier }, { now, word }) {
      const target = toldOf.get(orderId);
      if (!target) return [];
      const document = {
        ...{ accountId, type: 'order' as const, documentId: orderId, partnerNumber, internalNo: partnerNumber, ourNo: target.orderNo },
        ...{ name: target.name, status, shipmentNo, carrier, items: itemsOf.get(orderId) ?? [], note: target.note },
      };
      return [owedCallback(document, target, { sequence: target.callbackCount + 1, now, word })];
    },
  };
}
