import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { takeInboundIds } from '../inbound/inbound-queries.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { decideProgress } from './decide-progress.ts';
import { expectReturns } from './expect-returns.ts';
import { movedOrderWeight, type OrderEvent } from './order.ts';
import { endHolds } from './order-change-queries.ts';
import { alsoOfAccounts, findOrderNotifications } from './order-notifications.ts';
import {
  keepReasons,
  keepShipments,
  lockLotsOfOrders,
  lockOrdersByNumber,
  lotsHeldByOrders,
  moveOrders,
} from './order-queries.ts';
import {
  correctCarriers,
  deleteScannedUnits,
  findParcelsOfNamed,
  findShortOfNamed,
  findUsedShipments,
  insertParcels,
  insertShort,
} from './parcel-queries.ts';
import {
  type AdvanceOrderOutcome,
  type AdvanceOrdersRequest,
  namesOf,
  type ReportedProgress,
  reportedEvents,
} from './progress.ts';
import { findReturnPlaces } from './return-queries.ts';

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
    if (reasons.length > 0) writes.push(keepReasons(tx, reasons));
    if (moves.length > 0) writes.push(moveOrders(tx, moves));
    // The warehouse has these orders without our transfer, so a hold keeps them from nothing and nobody could release it.
    const arrived = moves.filter(({ event }) => event === 'transfer');
    if (arrived.length > 0) writes.push(endHolds(tx, arrived));
    if (parcels.length > 0) writes.push(insertParcels(tx, parcels));
    const left = moves.filter(({ event }) => event === 'ship');
    if (left.length > 0) writes.push(deleteScannedUnits(tx, left));
    // After the parcels, because one report may ship an order and the next one correct its carrier.
    if (carriers.length > 0) writes.push(correctCarriers(tx, carriers));
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
  // An order may leave with a number that an earlier report of the group has announced.
  const shipments =
    notified.length > 0 ? named.map(({ name, entry }) => ({ ...name, shipmentNos: shipmentNosOf(entry) })) : [];
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

function shipmentNosOf({ shipmentNo, parcels = [] }: ReportedProgress): string[] {
  return [...(shipmentNo === null ? [] : [shipmentNo]), ...parcels.map((parcel) => parcel.shipmentNo)];
}
