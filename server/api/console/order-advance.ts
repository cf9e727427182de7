import type { BodyOf } from '../../../contract/console/console-call.ts';
import { type OrderAdvanceResult, type OrderOfShipment, orderAdvance } from '../../../contract/console/order-advance.ts';
import type { AdvanceOrderOutcome } from '../../domain/orders/advance-orders.ts';
import { findOrdersOfShipments, type OrderById } from '../../domain/orders/order-detail-queries.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { accountNosOf, mistakeAt } from './console-list.ts';
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

  /** The same label on two orders is mostly a slip of the scanner. It is only looked for: two people at the same instant are not kept apart. */
  async function findRepeats(said: Body['orders'], byId: Map<number, OrderById>): Promise<Map<number, OrderOfShipment[]>> {
    const accountNoOf = accountNosOf(directory);
    const shipments = said.flatMap(({ order_id, shipment_no, carrier }) => {
      const order = byId.get(order_id);
      return order && shipment_no !== undefined ? [{ ...order, shipment_no, carrier: carrier ?? null }] : [];
    });
    const known = await database.read((sql) => findOrdersOfShipments(sql, [...new Set(shipments.map((one) => one.shipment_no))]));
    const newIds = new Set(shipments.map(({ order_id }) => order_id));
    const all = [...known.filter(({ order_id }) => !newIds.has(order_id)), ...shipments];
    const asked = said.filter(({ order_id, allow_repeat }) => newIds.has(order_id) && allow_repeat !== true);
    return new Map(
      asked.flatMap((one): [number, OrderOfShipment[]][] => {
        const others = all.filter((other) => isSameParcel(one, other));
        const named = others.slice(0, repeatsNamedMax).map(({ order_id, account_id, partner_number, status }) => ({
          ...{ order_id, account_no: accountNoOf(account_id), partner_number, status },
        }));
        return others.length === 0 || isUnderWay(byId.get(one.order_id)!) ? [] : [[one.order_id, named]];
      }),
    );
  }

  return consoleEndpoint(orderAdvance, {
    role: 'staff',
    audit: ({ step, orders }) => auditedOrders(idsOf(orders), { step, ...shipmentsOf(orders) }),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, body, request) {
      const orderIds = idsOf(body.orders);
      if (new Set(orderIds).size < orderIds.length) throw mistakeAt('orders', 'must not name an order twice');
      const { alike, byId, named } = await ordersOfIds(database, directory, orderIds);
      const repeats = body.step === 'ship' ? await findRepeats(body.orders, byId) : new Map<number, OrderOfShipment[]>();
      const unrepeated = alike.map((those) => ({ ...those, orders: those.orders.filter(({ order_id }) => !repeats.has(order_id)) }));
      const advanced = unrepeated
        .filter(({ orders }) => orders.length > 0)
        .map((those) => advanceAlike(those, body, causeOf(caller, request)));
      const outcomes = new Map((await Promise.all(advanced)).flat());
      const resultOf = (orderId: number): OrderAdvanceResult => {
        const others = repeats.get(orderId);
        if (others) return { ...named(orderId), kind: 'repeated_shipment_no', others };
        return { ...named(orderId), ...wordOutcome(outcomes.get(orderId), byId.get(orderId)) };
      };
      return { results: orderIds.map(resultOf) };
    },
  });
}

const repeatsNamedMax = 5;

/** Two carriers may well use the same number. */
function isSameParcel(one: Body['orders'][number], other: { order_id: number; shipment_no: string; carrier: string | null }): boolean {
  const isOtherCarrier = one.carrier !== undefined && other.carrier !== null && one.carrier !== other.carrier;
  return other.order_id !== one.order_id && other.shipment_no === one.shipment_no && !isOtherCarrier;
}

/** Its number stays as it is, so that there is nothing to ask. */
function isUnderWay({ status }: OrderById): boolean {
  return status === 'shipped' || status === 'delivered';
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
