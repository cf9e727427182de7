import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { OrderKey } from '../orders/order.ts';
import { moveOrders } from '../orders/order-queries.ts';
import { findScanned, type ScannedProduct } from '../products/product-code-queries.ts';
import type { Cause } from '../stock/movement.ts';
import { becomesPacked, isComplete, judgeScan, type NotWorkable, type OrderToPack, whyNotWorkable } from './packing.ts';
import {
  deletePacked,
  findNeeded,
  findPacked,
  findScan,
  insertPacked,
  lockOrderToPack,
  type NewPackedUnits,
} from './packing-queries.ts';

export interface ScannedUnits extends OrderKey {
  /** Chosen by the device; a repeat packs nothing. */
  scanId: string;
  parcelNo: number;
  code: string;
  /** How often the code counts. */
  times: number;
  cause: Cause;
}

export type PackOutcome =
  | { kind: 'packed'; skuId: string; qty: number; isComplete: boolean }
  /** No product of the account has the code. */
  | { kind: 'unknown' }
  /** The order does not have the product. */
  | { kind: 'wrong'; skuId: string }
  | { kind: 'surplus'; skuId: string; qty: number; left: number }
  | { kind: 'not_workable'; why: NotWorkable }
  | { kind: 'not_found' };

/** Puts scanned units into a parcel. The last unit of an order makes it packed. */
export async function packUnits(database: Database, scan: ScannedUnits): Promise<PackOutcome> {
  return await database.transaction([scan.accountId], (tx) => pack(tx, scan));
}

async function pack(tx: Tx, scan: ScannedUnits): Promise<PackOutcome> {
  const order = await lockOrderToPack(tx, scan);
  if (!order) return { kind: 'not_found' };
  const [known, product] = await Promise.all([findScan(tx, scan), findScanned(tx, scan.accountId, scan.code)]);
  if (known && product) return await answerRepeat(tx, order, product, known.qty);
  const why = whyNotWorkable(order);
  if (why) return { kind: 'not_workable', why };
  if (!product) return { kind: 'unknown' };

  const [needed, packed] = await Promise.all([findNeeded(tx, order), findPacked(tx, order)]);
  const { skuId, productId } = product;
  const qty = product.units * scan.times;
  const judged = judgeScan(needed, packed, productId, qty);
  if (judged.kind === 'wrong') return { kind: 'wrong', skuId };
  if (judged.kind === 'surplus') return { kind: 'surplus', skuId, qty, left: judged.left };

  const { parcelNo } = scan;
  await insertPacked(tx, { ...newUnits(scan), productId, qty });
  const isDone = isComplete(needed, [...packed, { parcelNo, productId, skuId, qty }]);
  if (isDone && becomesPacked(order)) await moveOrders(tx, [{ ...order, event: 'pack', cause: scan.cause }]);
  return { kind: 'packed', skuId, qty, isComplete: isDone };
}

async function answerRepeat(tx: Tx, order: OrderToPack, { skuId }: ScannedProduct, qty: number): Promise<PackOutcome> {
  const [needed, packed] = await Promise.all([findNeeded(tx, order), findPacked(tx, order)]);
  return { kind: 'packed', skuId, qty, isComplete: isComplete(needed, packed) };
}

function newUnits({
  accountId,
  orderId,
  scanId,
  parcelNo,
  cause,
}: ScannedUnits): Omit<NewPackedUnits, 'productId' | 'qty'> {
  return { accountId, orderId, scanId, parcelNo, actor: cause.actor };
}

export type EmptyOutcome = { kind: 'emptied' } | { kind: 'not_workable'; why: NotWorkable } | { kind: 'not_found' };

/** Takes all units out of a parcel, so that they can be scanned again. The state of the order stays. */
export async function emptyParcel(database: Database, order: OrderKey & { parcelNo: number }): Promise<EmptyOutcome> {
  return await database.transaction([order.accountId], async (tx) => {
    const locked = await lockOrderToPack(tx, order);
    if (!locked) return { kind: 'not_found' };
    const why = whyNotWorkable(locked);
    if (why) return { kind: 'not_workable', why };
    await deletePacked(tx, order, order.parcelNo);
    return { kind: 'emptied' };
  });
}
