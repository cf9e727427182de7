import {
  type PackingOrder,
  packingEmpty,
  packingOpen,
  packingPlanned,
  packingScan,
  packingShip,
  packingUndo,
  type ShipmentWarning as WarningRow,
} from '../../../contract/console/packing.ts';
import type { OrderKey } from '../../domain/orders/order.ts';
import {
  type DetailLine,
  findDetailLines,
  findHandledOrders,
  findOrdersById,
  type HandledOrder,
} from '../../domain/orders/order-detail-queries.ts';
import { emptyParcel, packUnits } from '../../domain/packing/pack-units.ts';
import {
  isComplete,
  type NeededUnits,
  type OrderToPack,
  type PackedUnits,
  packedOf,
  whyNotWorkable,
} from '../../domain/packing/packing.ts';
import { findNeeded, findOrdersToPack, findPacked } from '../../domain/packing/packing-queries.ts';
import { planShipment, undoShipment } from '../../domain/packing/plan-shipment.ts';
import type { ShipmentWarning } from '../../domain/packing/planned-shipment.ts';
import { listPlans } from '../../domain/packing/planned-shipment-queries.ts';
import { findOrdersOfSlot } from '../../domain/picking/pick-queries.ts';
import { distinct } from '../../platform/distinct.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { findOrdersOfScan } from './orders.ts';
import { noSuchOrder } from './orders-actions.ts';
import { isOwn, ownOf, refuseOtherWarehouses } from './own-warehouses.ts';

/** Packing with a scanner, and shipments that can be undone for some seconds. */
export function packingEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    packingOpenCall(parts),
    packingScanCall(parts),
    packingEmptyCall(parts),
    packingShipCall(parts),
    packingUndoCall(parts),
    packingPlannedCall(parts),
  ];
}

function packingOpenCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingOpen, {
    role: 'staff',
    warehouses: 'own',
    audit: null,
    async handle(caller, { number }) {
      const found = await readOrders(parts, await findOrdersToOpen(parts, caller, number));
      const workable = found.filter(({ not_workable }) => not_workable === null);
      const orders = workable.length > 0 ? workable : found;
      if (orders.length === 0) return { kind: 'not_found' as const };
      return orders.length === 1 ? { kind: 'found' as const, order: orders[0]! } : { kind: 'several' as const, orders };
    },
  });
}

/** The orders that a scanned text means: their number, or `7-3` for slot 3 of pick batch 7. */
async function findOrdersToOpen({ database }: ConsoleParts, caller: ConsoleCaller, text: string): Promise<OrderKey[]> {
  const named = await findOrdersOfScan(database, text);
  const [, batch, slot] = /^(\d{1,15})-(\d{1,4})$/.exec(text) ?? [];
  const keys =
    named.length === 0 && batch
      ? await database.read(noAccounts, (sql) => findOrdersOfSlot(sql, Number(batch), Number(slot)))
      : named;
  const orders = await database.read(noAccounts, (sql) =>
    findOrdersById(
      sql,
      keys.map(({ orderId }) => orderId),
    ),
  );
  const own = orders.filter(({ warehouse_no }) => isOwn(caller, warehouse_no));
  if (own.length === 0)
    refuseOtherWarehouses(
      caller,
      orders.map(({ warehouse_no }) => warehouse_no),
    );
  return own.map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
}

function packingScanCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingScan, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id, ...details }) => ({ subject: `order ${order_id}`, details }),
    async handle(caller, { order_id, scan_id, parcel_no, code, times }, request) {
      const key = await keyOf(parts, caller, order_id);
      const cause = causeOf(caller, request);
      const scan = { ...key, scanId: scan_id, parcelNo: parcel_no, code, times, cause };
      const outcome = await packUnits(parts.database, scan);
      const order = await readOrder(parts, key);
      switch (outcome.kind) {
        case 'packed':
          return {
            kind: outcome.kind,
            sku_id: outcome.skuId,
            qty: outcome.qty,
            is_complete: outcome.isComplete,
            order,
          };
        case 'wrong':
          return { kind: outcome.kind, sku_id: outcome.skuId, order };
        case 'surplus':
          return { kind: outcome.kind, sku_id: outcome.skuId, qty: outcome.qty, left: outcome.left, order };
        case 'unknown':
        case 'not_workable':
          return { ...outcome, order };
        case 'not_found':
          throw noSuchOrder();
        default:
          return outcome satisfies never;
      }
    },
  });
}

function packingEmptyCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingEmpty, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id, ...details }) => ({ subject: `order ${order_id}`, details }),
    async handle(caller, { order_id, parcel_no }) {
      const key = await keyOf(parts, caller, order_id);
      const outcome = await emptyParcel(parts.database, { ...key, parcelNo: parcel_no });
      if (outcome.kind === 'not_found') throw noSuchOrder();
      return { ...outcome, order: await readOrder(parts, key) };
    },
  });
}

function packingShipCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingShip, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id, ...details }) => ({ subject: `order ${order_id}`, details }),
    async handle(caller, { order_id, shipments, confirmed }, request) {
      const key = await keyOf(parts, caller, order_id);
      const labels = shipments.map(({ parcel_no, shipment_no, carrier }) => ({
        parcelNo: parcel_no,
        shipmentNo: shipment_no,
        carrier: carrier ?? null,
      }));
      const outcome = await planShipment(parts, {
        ...{ ...key, shipments: labels, confirmed },
        cause: causeOf(caller, request),
      });
      switch (outcome.kind) {
        case 'planned':
          return { kind: outcome.kind, undo_seconds: secondsUntil(parts, outcome.dueAt) };
        case 'confirm':
          return { kind: outcome.kind, warnings: outcome.warnings.map((warning) => toWarning(parts, warning)) };
        case 'not_workable':
        case 'other_plan':
        case 'parcels_changed':
        case 'number_twice':
          return outcome;
        case 'not_found':
          throw noSuchOrder();
        default:
          return outcome satisfies never;
      }
    },
  });
}

const othersNamedMax = 5;

function toWarning({ directory }: ConsoleParts, warning: ShipmentWarning): WarningRow {
  const accountNoOf = accountNosOf(directory);
  switch (warning.kind) {
    case 'repeated':
      return {
        kind: warning.kind,
        shipment_no: warning.shipmentNo,
        others: warning.others.slice(0, othersNamedMax).map(({ orderId, accountId, partnerNumber, status }) => ({
          order_id: orderId,
          account_no: accountNoOf(accountId),
          partner_number: partnerNumber,
          status,
        })),
      };
    case 'format':
      return {
        ...{ kind: warning.kind, shipment_no: warning.shipmentNo },
        ...{ carrier: warning.carrier, digits: warning.digits },
      };
    case 'skipped':
    case 'short':
      return warning;
    default:
      return warning satisfies never;
  }
}

function packingUndoCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingUndo, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id }) => ({ subject: `order ${order_id}` }),
    async handle(caller, { order_id }) {
      const outcome = await undoShipment(parts.database, await keyOf(parts, caller, order_id));
      if (outcome.kind === 'not_found') throw noSuchOrder();
      return outcome;
    },
  });
}

const plansMax = 100;

function packingPlannedCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingPlanned, {
    role: 'staff',
    warehouses: 'own',
    audit: null,
    async handle(caller) {
      await parts.directory.allNow();
      const accountNoOf = accountNosOf(parts.directory);
      const plans = await parts.database.read(noAccounts, (sql) => listPlans(sql, ownOf(caller), plansMax));
      return {
        rows: plans.map(({ orderId, accountId, partnerNumber, shipments, plannedBy, dueAt, refusal }) => ({
          order_id: orderId,
          account_no: accountNoOf(accountId),
          partner_number: partnerNumber,
          shipment_nos: shipments.map(({ shipmentNo }) => shipmentNo),
          planned_by: plannedBy,
          undo_seconds: secondsUntil(parts, dueAt),
          refusal,
        })),
      };
    },
  });
}

function secondsUntil({ clock }: ConsoleParts, at: Date): number {
  return Math.max(0, Math.ceil((at.getTime() - clock.now().getTime()) / 1000));
}

/** Pages name orders by their id alone. */
async function keyOf({ database, directory }: ConsoleParts, caller: ConsoleCaller, orderId: number): Promise<OrderKey> {
  // An account may have been made just now.
  await directory.allNow();
  const [order] = await database.read(noAccounts, (sql) => findOrdersById(sql, [orderId]));
  if (!order) throw noSuchOrder();
  refuseOtherWarehouses(caller, [order.warehouse_no]);
  return { accountId: order.account_id, orderId };
}

async function readOrder(parts: ConsoleParts, key: OrderKey): Promise<PackingOrder> {
  const [order] = await readOrders(parts, [key]);
  if (!order) throw noSuchOrder();
  return order;
}

async function readOrders({ database, directory }: ConsoleParts, keys: OrderKey[]): Promise<PackingOrder[]> {
  if (keys.length === 0) return [];
  await directory.allNow();
  const accountNoOf = accountNosOf(directory);
  return await database.read(distinct(keys.map(({ accountId }) => accountId)), async (sql) => {
    const [handled, lines, toPack] = await Promise.all([
      findHandledOrders(sql, keys),
      findDetailLines(sql, keys),
      findOrdersToPack(sql, keys),
    ]);
    return await Promise.all(
      handled.map(async (order) => {
        const found = toPack.find(({ orderId }) => orderId === order.order_id)!;
        const [needed, packed] = await Promise.all([findNeeded(sql, found), findPacked(sql, found)]);
        const own = lines.filter(({ order_id }) => order_id === order.order_id);
        return toPackingOrder(order, accountNoOf(order.account_id), found, { lines: own, needed, packed });
      }),
    );
  });
}

function toPackingOrder(
  order: HandledOrder,
  accountNo: string,
  toPack: OrderToPack,
  { lines, needed, packed }: { lines: DetailLine[]; needed: NeededUnits[]; packed: PackedUnits[] },
): PackingOrder {
  const { order_id, order_no, partner_number, name, status, logistics_type, express_type, shipment_no, carrier } =
    order;
  const parcels = [...Map.groupBy(packed, ({ parcelNo }) => parcelNo)];
  return {
    ...{ order_id, account_no: accountNo, order_no, partner_number, name, status },
    ...{ logistics_type, express_type, shipment_no, carrier },
    has_note: order.note !== null,
    not_workable: whyNotWorkable(toPack),
    lines: needed.map(({ productId, skuId, qty }) => {
      const line = lines.find(({ product_id }) => product_id === productId);
      return {
        sku_id: skuId,
        name: line?.name ?? skuId,
        storage_type: line?.storage_type ?? '',
        ...{ qty, packed: packedOf(packed, productId) },
      };
    }),
    parcels: parcels.map(([parcel_no, units]) => ({
      parcel_no,
      units: units.map(({ skuId, qty }) => ({ sku_id: skuId, qty })),
    })),
    is_complete: packed.length > 0 && isComplete(needed, packed),
  };
}
