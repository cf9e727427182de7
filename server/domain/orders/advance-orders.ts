import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { takeInboundIds } from '../inbound/inbound-queries.ts';
import type { Cause } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { decideProgress } from './decide-progress.ts';
import { expectReturns } from './expect-returns.ts';
import { movedOrderWeight, type OrderEvent, type OrderStatus, type UndeliveredReason } from './order.ts';
import { alsoOfAccounts, findOrderNotifications } from './order-notifications.ts';
import {
  keepReasons,
  keepShipments,
  lockLotsOfOrders,
  lockOrdersByNumber,
  lotsHeldByOrders,
  moveOrders,
  type OrderName,
} from './order-queries.ts';
import type { ReportedParcel } from './parcel.ts';
import {
  correctCarriers,
  findParcelsOfNamed,
  findShortOfNamed,
  findUsedShipments,
  insertParcels,
  insertShort,
} from './parcel-queries.ts';
import { findReturnPlaces } from './return-queries.ts';

/** How far a warehouse may report an order, and the event that leads there. */
export const reportedEvents = {
  in_warehouse: 'transfer',
  picking: 'pick',
  packed: 'pack',
  partially_shipped: 'ship_part',
  shipped: 'ship',
  arrived: 'arrive',
  delivered: 'deliver',
  undelivered: 'fail',
} as const satisfies Partial<Record<OrderStatus, OrderEvent>>;
export type ReportedStatus = keyof typeof reportedEvents;

export interface ReportedProgress {
  partnerNumber: string;
  /** The number is that of a shipping order. */
  isLogistics: boolean;
  to: ReportedStatus;
  /** null: not reported. */
  shipmentNo: string | null;
  carrier: string | null;
  /** The parcels that leave, if the report lists them. */
  parcels?: ReportedParcel[];
  /** No more parcels follow: units that have not left will not be shipped. */
  isFinal?: boolean;
  /** Another order may have left with the same shipment number. */
  allowRepeat?: boolean;
  /** Why the order did not reach its recipient. */
  reason?: UndeliveredReason;
}

export interface AdvanceOrdersRequest {
  accountId: number;
  /** An order of a UAT account goes no further than the hand-over. */
  isUat: boolean;
  entries: ReportedProgress[];
  cause: Cause;
}

export type AdvanceOrderOutcome =
  /** The order is in this state now, or was before. */
  | { kind: 'advanced'; status: OrderStatus }
  | { kind: 'not_found' }
  | { kind: 'uat' }
  /** The order is in another state: too far, not far enough, or cancelled. */
  | { kind: 'out_of_order'; status: OrderStatus }
  /** A shipped order needs a shipment number. */
  | { kind: 'no_shipment_no' }
  /** The order was shipped with a different number. */
  | { kind: 'other_shipment_no' }
  | ParcelRefusal
  | ReasonRefusal;

/** The report of parcels does not fit the order; nothing leaves. */
export type ParcelRefusal =
  | { kind: 'no_parcels' }
  /** The report has a shipment number of its own beside its parcels. */
  | { kind: 'two_shipment_nos' }
  /** The field does not belong to the reported status. */
  | { kind: 'not_with_status'; field: 'parcels' | 'final' | 'reason' }
  /** The order is not complete, and the report is not final. */
  | { kind: 'units_remain'; units: number }
  /** The order does not hold the units of the parcel. */
  | { kind: 'not_held'; shipmentNo: string; skuId: string; qty: number; held: number }
  /** Other parcels have taken everything. */
  | { kind: 'nothing_left'; shipmentNo: string }
  /** A parcel with this number has left with other units. */
  | { kind: 'other_content'; shipmentNo: string }
  /** Another order has left with this number. */
  | { kind: 'repeated_shipment_no'; shipmentNo: string }
  /** The warehouse has reported the last parcel. */
  | { kind: 'no_more_parcels'; status: OrderStatus }
  | { kind: 'too_many_parcels' };

export type ReasonRefusal =
  | { kind: 'no_reason' }
  /** The order was reported with another reason. */
  | { kind: 'other_reason'; reason: UndeliveredReason };

export type AdvanceOrders = GroupOperation<AdvanceOrdersRequest, AdvanceOrderOutcome[]>;

/** Events of which partners are notified. */
const notifiedEvents: OrderEvent[] = ['ship_part', 'ship', 'arrive', 'deliver', 'fail'];

/**
 * Applies a warehouse's reports on the progress of orders. Shipped units leave the stock, units that will not be shipped
 * are released, an order that was not delivered is expected back, and the partner is notified.
 */
export function makeAdvanceOrders({
  clock,
  formatCallback,
}: {
  clock: Clock;
  formatCallback: FormatCallback;
}): AdvanceOrders {
  async function run(tx: Tx, requests: AdvanceOrdersRequest[]): Promise<Decision<AdvanceOrderOutcome[][]>> {
    const found = await look(tx, requests);

    const { outcomes, written, notices } = decideProgress(requests, found);
    const returns = expectReturns(written.returns, found);
    const notifications = await alsoOfAccounts(
      tx,
      found.notifications,
      notices.map(({ order }) => order),
    );
    const owed = notices.flatMap(({ order, shipped, undelivered }) =>
      notifications.callbackFor(
        order,
        { now: clock.now(), format: formatCallback },
        {
          shipped,
          ...(undelivered
            ? { undelivered: { reason: undelivered, returnNo: returns.numberOf.get(order.orderId) ?? null } }
            : {}),
        },
      ),
    );

    const writes: Promise<unknown>[] = [];
    const { shipments, reasons, moves, parcels, short, movements, carriers } = written;
    if (shipments.size > 0) writes.push(keepShipments(tx, [...shipments.values()]));
    if (carriers.length > 0) writes.push(correctCarriers(tx, carriers));
    if (reasons.length > 0) writes.push(keepReasons(tx, reasons));
    if (moves.length > 0) writes.push(moveOrders(tx, moves));
    if (parcels.length > 0) writes.push(insertParcels(tx, parcels));
    if (short.length > 0) writes.push(insertShort(tx, short));
    if (movements.length > 0) writes.push(recordMovements(tx, movements));
    writes.push(...returns.write(tx));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'advance_orders', run, weightOf: ({ entries }) => entries.length * movedOrderWeight };
}

/** Locks the orders, then their lots, and reads what the reports may concern. */
async function look(tx: Tx, requests: AdvanceOrdersRequest[]) {
  const named = requests.flatMap((request) =>
    namesOf(request).map((name, index) => ({ name, entry: request.entries[index]! })),
  );
  const namesWith = (events: OrderEvent[]) =>
    named.flatMap(({ name, entry }) => (events.includes(reportedEvents[entry.to]) ? [name] : []));
  const leaving = namesWith(['ship_part', 'ship']);
  const notified = namesWith(notifiedEvents);
  const failed = namesWith(['fail']);
  const shipments = named.flatMap(({ name, entry }) =>
    notified.includes(name) ? [{ ...name, shipmentNos: shipmentNosOf(entry) }] : [],
  );
  const [orders, notifications, held, parcels, short, used, returnPlaces, returnIds] = await Promise.all([
    lockOrdersByNumber(
      tx,
      named.map(({ name }) => name),
    ),
    findOrderNotifications(tx, notified, notifiedEvents),
    leaving.length > 0 ? lotsHeldByOrders(tx, leaving, 'ship') : [],
    notified.length > 0 ? findParcelsOfNamed(tx, notified) : [],
    notified.length > 0 ? findShortOfNamed(tx, notified) : [],
    shipments.length > 0 ? findUsedShipments(tx, shipments) : [],
    failed.length > 0 ? findReturnPlaces(tx, failed) : [],
    failed.length > 0 ? takeInboundIds(tx, failed.length) : [],
    leaving.length > 0 ? lockLotsOfOrders(tx, leaving, 'ship') : null,
  ]);
  return { orders, notifications, held, parcels, short, used, returnPlaces, returnIds };
}

export type FoundProgress = Awaited<ReturnType<typeof look>>;

function shipmentNosOf({ shipmentNo, parcels = [] }: ReportedProgress): string[] {
  return [...(shipmentNo === null ? [] : [shipmentNo]), ...parcels.map((parcel) => parcel.shipmentNo)];
}

export function namesOf({ accountId, entries }: AdvanceOrdersRequest): OrderName[] {
  return entries.map(({ partnerNumber, isLogistics }) => ({ accountId, partnerNumber, isLogistics }));
}
