import { type PackingOrder, packingEmpty, packingOpen, packingScan } from '../../../contract/console/packing.ts';
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
import { findOrdersOfSlot } from '../../domain/picking/pick-queries.ts';
import { distinct } from '../../platform/distinct.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { findOrdersOfScan } from './orders.ts';
import { noSuchOrder } from './orders-actions.ts';
import { isOwn, refuseOtherWarehouses } from './own-warehouses.ts';

/** Packing with a scanner. */
export function packingEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [packingOpenCall(parts), packingScanCall(parts), packingEmptyCall(parts)];
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

/** Pages name orders by their id alone. */
export async function keyOf(
  { database, directory }: ConsoleParts,
  caller: ConsoleCaller,
  orderId: number,
): Promise<OrderKey> {
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
