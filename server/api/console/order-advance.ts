import type { BodyOf } from '../../../contract/console/console-call.ts';
import { type OrderAdvanceResult, orderAdvance } from '../../../contract/console/order-advance.ts';
import type { AdvanceOrderOutcome } from '../../domain/orders/advance-orders.ts';
import type { OrderById } from '../../domain/orders/order-detail-queries.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, type OrdersAlike, ordersOfIds } from './order-named.ts';

type Body = BodyOf<typeof orderAdvance>;

const statusAfter = { pick: 'picking', pack: 'packed', ship: 'shipped', deliver: 'delivered' } as const;

/** Staff say how far orders have come, as a warehouse's system does; orders of several accounts and channels, each with its own result. */
export function orderAdvanceCall({ database, directory, operations }: ConsoleParts): ConsoleEndpoint {
  async function advanceAlike(those: OrdersAlike, body: Body, cause: Cause): Promise<[number, AdvanceOrderOutcome][]> {
    const { accountId, isLogistics, orders } = those;
    const saidOf = new Map(body.orders.map((said) => [said.order_id, said]));
    const account = [...directory.known().values()].find((one) => one.accountId === accountId);
    const entries = orders.map(({ order_id, partner_number: partnerNumber }) => {
      const { shipment_no = null, carrier = null } = saidOf.get(order_id)!;
      return { partnerNumber, isLogistics, to: statusAfter[body.step], shipmentNo: shipment_no, carrier };
    });
    const outcomes = await operations.advanceOrders({ accountId, isUat: account?.environment !== 'production', entries, cause });
    return orders.map(({ order_id }, index) => [order_id, outcomes[index]!]);
  }

  return consoleEndpoint(orderAdvance, {
    role: 'staff',
    audit: ({ step, orders }) => auditedOrders(idsOf(orders), { step, ...shipmentsOf(orders) }),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, body, request) {
      const orderIds = idsOf(body.orders);
      if (new Set(orderIds).size < orderIds.length) throw mistakeAt('orders', 'must not name an order twice');
      const { alike, byId, named } = await ordersOfIds(database, directory, orderIds);
      const outcomes = new Map((await Promise.all(alike.map((those) => advanceAlike(those, body, causeOf(caller, request))))).flat());
      return {
        results: orderIds.map(
          (orderId): OrderAdvanceResult => ({ ...named(orderId), ...wordOutcome(outcomes.get(orderId), byId.get(orderId)) }),
        ),
      };
    },
  });
}

/** Whether it was there before is as of a moment earlier: good enough for words, and nothing hangs on it. */
function wordOutcome(outcome: AdvanceOrderOutcome | undefined, before: OrderById | undefined) {
  if (outcome === undefined) return { kind: 'not_found' as const };
  return outcome.kind === 'advanced' && outcome.status === before?.status ? { ...outcome, kind: 'already' as const } : outcome;
}

function idsOf(orders: Body['orders']): number[] {
  return orders.map(({ order_id }) => order_id);
}

function shipmentsOf(orders: Body['orders']) {
  const said = orders.filter(({ shipment_no }) => shipment_no !== undefined);
  return said.length === 0 ? {} : { shipments: said.map(({ order_id, shipment_no }) => ({ order_id, shipment_no })) };
}
