import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { keepCallbackTargets, type NewTarget } from '../callbacks/owed-callback-queries.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { insertProducts } from '../products/product-queries.ts';
import { type DescribedProduct, openRegister, type ProductRegister } from '../products/register-products.ts';
import { arrangeByWarehouse } from '../stock/arrange-lots.ts';
import type { Lot } from '../stock/lot.ts';
import { ManyLots } from '../stock/many-lots.ts';
import type { Movement } from '../stock/movement.ts';
import type { Picked } from '../stock/plan-allocation.ts';
import { type ProductInWarehouse, recordMovements, type WantedUnits } from '../stock/stock-queries.ts';
import { hasContentOf } from './content-match.ts';
import { newOrderNo, type OrderStatus } from './order.ts';
import { takeOrderIds } from './order-queries.ts';
import { keepFor, keepForAll } from './plan-waiting.ts';
import type { ShippingOrderRequest } from './shipping-order.ts';
import {
  findShippingOrders,
  findWantedAt,
  insertShippingOrders,
  insertWaitingLines,
  type KnownShippingOrder,
  lockLotsForOrders,
  type NewShippingOrder,
  type WantedAt,
} from './shipping-order-queries.ts';

export type CreateShippingOrderOutcome =
  | { kind: 'created'; status: OrderStatus }
  /** The number exists with the same content: nothing is created. */
  | { kind: 'repeated'; status: OrderStatus }
  /** The number exists with different content. */
  | { kind: 'conflict' };

/**
 * Creates shipping orders. Orders with sufficient stock lock it; the others wait for it. They do not take units that
 * older orders wait for.
 */
export function makeCreateShippingOrders({
  clock,
  keyring,
}: {
  clock: Clock;
  keyring: Keyring;
}): GroupOperation<ShippingOrderRequest, CreateShippingOrderOutcome> {
  const manyLots = new ManyLots();
  return {
    name: 'create_shipping_orders',
    run: (tx, requests) => run(tx, requests, clock.now(), keyring, manyLots),
    weightOf: ({ lines }) => lines.length,
  };
}

async function run(
  tx: Tx,
  requests: ShippingOrderRequest[],
  now: Date,
  keyring: Keyring,
  manyLots: ManyLots,
): Promise<Decision<CreateShippingOrderOutcome[]>> {
  const register = await openRegister(tx, requests.flatMap(productsOf));
  const units = requests.flatMap((request) => unitsOf(request, register, now));
  const [lots, known, wanted, orderIds] = await Promise.all([
    lockLotsForOrders(tx, units, manyLots),
    findShippingOrders(tx, requests),
    findWantedAt(tx, distinctPlaces(units)),
    takeOrderIds(tx, requests.length),
  ]);

  const { outcomes, orders, locks } = decide(requests, { lots, known, wanted, orderIds, register }, now, keyring);

  return { answer: outcomes, writes: orders.length > 0 ? write(tx, orders, locks, register) : [] };
}

function productsOf({ accountId, lines }: ShippingOrderRequest): DescribedProduct[] {
  return lines.map(({ skuId, productId, name, storageType }) => ({ accountId, skuId, productId, name, storageType }));
}

/** A line that names a batch is not served with the lots that expire first. */
function unitsOf(request: ShippingOrderRequest, register: ProductRegister, now: Date): WantedUnits[] {
  const { accountId, key, lines } = request;
  const from = sellableFrom(key, now);
  return lines.flatMap((line) => {
    const productId = register.find({ ...line, accountId });
    if (productId === null) return [];
    const place = { accountId, productId, warehouseNo: key.warehouseNo };
    return line.batchId === null
      ? { ...place, qty: line.qty, sellableFrom: from }
      : { ...place, qty: null, sellableFrom: null };
  });
}

function distinctPlaces(places: ProductInWarehouse[]): ProductInWarehouse[] {
  return [...new Map(places.map((place) => [`${place.productId}/${place.warehouseNo}`, place])).values()];
}

interface Found {
  lots: Lot[];
  known: KnownShippingOrder[];
  wanted: WantedAt[];
  orderIds: number[];
  register: ProductRegister;
}

function decide(
  requests: ShippingOrderRequest[],
  { lots, known, wanted, orderIds, register }: Found,
  now: Date,
  keyring: Keyring,
) {
  const numberOf = ({ accountId, partnerNumber }: { accountId: number; partnerNumber: string }) =>
    `${accountId}/${partnerNumber}`;
  const shelfOf = ({ productId, warehouseNo }: Omit<ProductInWarehouse, 'accountId'>) => `${productId}/${warehouseNo}`;
  const originals = new Map(known.map((order) => [numberOf(order), order]));
  const arrangedAt = arrangeByWarehouse(lots);
  const crowdedShelves = new Set(wanted.filter(({ tooMany }) => tooMany).map(shelfOf));
  // Units that other orders already wait for are reserved for them.
  for (const [warehouseNo, those] of Map.groupBy(wanted, (line) => line.warehouseNo))
    keepForAll(those, arrangedAt(warehouseNo), now);
  const orders: NewShippingOrder[] = [];
  const locks: Movement[] = [];

  /** null: not all units are available, or older orders come first. */
  function allocate(lines: NewShippingOrder['lines'], key: ShippingOrderRequest['key']): Picked[] | null {
    const { warehouseNo } = key;
    if (lines.some(({ productId }) => crowdedShelves.has(shelfOf({ productId, warehouseNo })))) return null;
    // The next order in this group sees the units that this one has left or not reserved.
    return keepFor(lines, arrangedAt(warehouseNo), sellableFrom(key, now));
  }

  function create(request: ShippingOrderRequest, orderId: number): NewShippingOrder {
    const { accountId, key, partnerNumber, cause } = request;
    const lines = request.lines.map((line) => ({ ...line, productId: register.idOf({ ...line, accountId }) }));
    const picks = allocate(lines, key);
    for (const { lot, qty } of picks ?? []) {
      locks.push({ accountId, lotId: lot.lotId, kind: 'lock', onHandDelta: 0, lockedDelta: qty, orderId, cause });
    }
    const status = picks === null ? 'awaiting_stock' : 'pending_warehouse_transfer';
    return { ...request, lines, orderId, orderNo: newOrderNo(partnerNumber), status };
  }

  const outcomes = requests.map((request, index): CreateShippingOrderOutcome => {
    const original = originals.get(numberOf(request));
    if (original && !hasContentOf(keyring, original, request.payloadDigest)) return { kind: 'conflict' };
    if (original) return { kind: 'repeated', status: original.status };
    const order = create(request, orderIds[index]!);
    orders.push(order);
    originals.set(numberOf(order), order);
    return { kind: 'created', status: order.status };
  });
  return { outcomes, orders, locks };
}

function write(tx: Tx, orders: NewShippingOrder[], locks: Movement[], register: ProductRegister): Promise<unknown>[] {
  const waiting = orders.filter(({ status }) => status === 'awaiting_stock');
  const targets = orders.flatMap(targetOf);
  const products = register.added();
  return [
    ...(products.length > 0 ? [insertProducts(tx, products)] : []),
    insertShippingOrders(tx, orders),
    ...(locks.length > 0 ? [recordMovements(tx, locks)] : []),
    ...(waiting.length > 0 ? [insertWaitingLines(tx, waiting)] : []),
    ...(targets.length > 0 ? [keepCallbackTargets(tx, targets)] : []),
  ];
}

function targetOf({ accountId, orderId, key, content }: NewShippingOrder): NewTarget[] {
  if (content.callbackUrl === null) return [];
  return [
    { accountId, type: 'order', documentId: orderId, keyName: key.name, url: content.callbackUrl, callbackCount: 0 },
  ];
}
