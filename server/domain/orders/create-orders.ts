import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type GroupOperation, StaleRead } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { targetOfTenant } from '../callbacks/account-callbacks.ts';
import { keepCallbackTargets, type NewTarget } from '../callbacks/owed-callback-queries.ts';
import { type AccountDirectory, findTenant, type KnownAccount } from '../partners/account-directory.ts';
import { sellableFrom } from '../partners/tenant.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import { type ArrangedLots, arrangeByWarehouse } from '../stock/arrange-lots.ts';
import type { Lot } from '../stock/lot.ts';
import { ManyLots } from '../stock/many-lots.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { planAllocation, type Shortage } from '../stock/plan-allocation.ts';
import { findLotIdsFor, type WantedUnits } from '../stock/stock-queries.ts';
import { hasContentOf } from './content-match.ts';
import {
  newOrderNo,
  type OrderContent,
  type OrderRequest,
  orderDigest,
  type WrongPart,
  wrongPartsOf,
} from './order.ts';
import {
  findOrdersByNumber,
  insertOrders,
  type KnownOrder,
  lockLotsAndFindOrders,
  type NewOrder,
  takeOrderIds,
} from './order-queries.ts';

export type CreateOrderOutcome =
  | { kind: 'created'; orderNo: string }
  /** The number exists: nothing is created. */
  | { kind: 'repeated'; orderNo: string; payloadDiffers: boolean }
  | { kind: 'unknown_tenant' }
  | { kind: 'unknown_skus'; skuIds: string[] }
  | { kind: 'unknown_ship_method'; wrongParts: WrongPart[] }
  | { kind: 'short'; shortages: { skuId: string; available: number; requested: number }[] };

/** Creates orders and locks their units, first come, first served. An order for which stock is short is not created. */
export function makeCreateOrders({ keyring }: { keyring: Keyring }): GroupOperation<OrderRequest, CreateOrderOutcome> {
  const manyLots = new ManyLots();
  return {
    name: 'create_orders',
    run: (tx, requests) => run(tx, requests, keyring, manyLots),
    weightOf: ({ lines }) => lines.length,
    // While one group is committed, the other one is read and decided. With many accounts that is a tenth more orders.
    lanes: 2,
  };
}

async function run(
  tx: Tx,
  requests: OrderRequest[],
  keyring: Keyring,
  manyLots: ManyLots,
): Promise<Decision<CreateOrderOutcome[]>> {
  const [found, orderIds] = await Promise.all([look(tx, requests, manyLots), takeOrderIds(tx, requests.length)]);

  const { outcomes, orders, locks } = decide(requests, found, orderIds, keyring);
  if (outcomes.some(({ kind }) => kind === 'short')) await assertNothingNew(tx, requests, outcomes, found);

  const writes: Promise<unknown>[] = orders.length > 0 ? [insertOrders(tx, orders, locks)] : [];
  const targets = orders.flatMap(targetOf);
  if (targets.length > 0) writes.push(keepCallbackTargets(tx, targets));
  return { answer: outcomes, writes };
}

/** The order must remember its tenant only if that has an address of its own. */
function targetOf({ accountId, orderId, tenant: { callback } }: NewOrder): NewTarget[] {
  return callback === null ? [] : [{ ...callback, accountId, type: 'order', documentId: orderId, callbackCount: 0 }];
}

interface Found {
  lots: Lot[];
  known: KnownOrder[];
}

/**
 * If two nodes create the same number at the same moment, the second one may not see the order of the first. The unique
 * index `orders_number` then rejects it, and its group is repeated; if it finds too little stock, because the identical
 * order took it, the second look finds that order.
 */
async function look(tx: Tx, requests: OrderRequest[], manyLots: ManyLots): Promise<Found> {
  return await lockLotsAndFindOrders(
    tx,
    requests.map((request) => ({
      accountId: request.accountId,
      partnerNumber: request.partnerNumber,
      units: unitsOf(request),
    })),
    manyLots,
  );
}

/**
 * An order is not rejected for lack of stock while a second read finds new lots, because a lot may have been freed while
 * the group waited for its locks. The group then starts again instead of locking that lot now, because lots are locked
 * in the order of their ids.
 */
async function assertNothingNew(
  tx: Tx,
  requests: OrderRequest[],
  outcomes: CreateOrderOutcome[],
  { lots, known }: Found,
): Promise<void> {
  const held = new Set(lots.map((lot) => lot.lotId));
  const numbers = new Set(known.map(numberKey));
  const [sellable, knownNow] = await Promise.all([
    findLotIdsFor(
      tx,
      requests.flatMap((request, index) => shortUnitsOf(request, outcomes[index]!)),
    ),
    findOrdersByNumber(tx, requests),
  ]);
  if (sellable.some((lotId) => !held.has(lotId)) || knownNow.some((order) => !numbers.has(numberKey(order))))
    throw new StaleRead();
}

function shortUnitsOf(request: OrderRequest, outcome: CreateOrderOutcome): WantedUnits[] {
  if (outcome.kind !== 'short') return [];
  const skuIds = new Set(outcome.shortages.map(({ skuId }) => skuId));
  return unitsOf({ ...request, lines: request.lines.filter(({ skuId }) => skuIds.has(skuId)) });
}

function unitsOf({ accountId, tenant, lines }: OrderRequest): WantedUnits[] {
  if (tenant === null) return [];
  const { warehouseNo, sellableFrom } = tenant;
  return lines.flatMap(({ productId, qty }) =>
    productId === null ? [] : [{ accountId, productId, warehouseNo, sellableFrom, qty }],
  );
}

function decide(requests: OrderRequest[], found: Found, orderIds: number[], keyring: Keyring) {
  const known = new Map(found.known.map((order) => [numberKey(order), order]));
  const arrangedAt = arrangeByWarehouse(found.lots);
  const orders: NewOrder[] = [];
  const locks: Movement[] = [];

  const outcomes = requests.map((request, index): CreateOrderOutcome => {
    const verdict = judge(request, known, arrangedAt, keyring);
    if (verdict.kind !== 'accepted') return verdict;

    const { order, picks } = verdict;
    const numbered = { ...order, orderId: orderIds[index]!, orderNo: newOrderNo(order.partnerNumber) };
    orders.push(numbered);
    known.set(numberKey(order), numbered);
    for (const { lot, qty } of picks) {
      // The next order in this group sees the units that this one has left.
      lot.locked += qty;
      locks.push(lockMovement(numbered, lot, qty));
    }
    return { kind: 'created', orderNo: numbered.orderNo };
  });
  return { outcomes, orders, locks };
}

/** Numbers are unique within an account. */
function numberKey({ accountId, partnerNumber }: Pick<OrderRequest, 'accountId' | 'partnerNumber'>): string {
  return `${accountId}/${partnerNumber}`;
}

type Verdict =
  | Exclude<CreateOrderOutcome, { kind: 'created' }>
  | { kind: 'accepted'; order: Omit<NewOrder, 'orderId' | 'orderNo'>; picks: { lot: Lot; qty: number }[] };

/** In the order in which the contract checks: a repeat is answered as a repeat whatever else it contains. */
function judge(
  request: OrderRequest,
  known: Map<string, KnownOrder>,
  arrangedAt: (warehouseNo: number) => ArrangedLots,
  keyring: Keyring,
): Verdict {
  const original = known.get(numberKey(request));
  if (original) return repeatOf(original, request, keyring);
  const { tenant } = request;
  if (tenant === null) return { kind: 'unknown_tenant' };
  const { lines, unknown } = sortOut(request.lines);
  if (unknown.length > 0) return { kind: 'unknown_skus', skuIds: unknown };
  const wrongParts = wrongPartsOf(request.shipMethod);
  if (wrongParts.length > 0) return { kind: 'unknown_ship_method', wrongParts };

  const plan = planAllocation(arrangedAt(tenant.warehouseNo), lines, tenant.sellableFrom);
  if (plan.kind === 'short')
    return { kind: 'short', shortages: plan.shortages.map((shortage) => withSku(shortage, lines)) };
  return {
    kind: 'accepted',
    order: { ...request, tenant, lines, status: 'pending_warehouse_transfer' },
    picks: plan.picks,
  };
}

function repeatOf(
  original: KnownOrder,
  { payloadDigest }: OrderRequest,
  keyring: Keyring,
): CreateOrderOutcome & { kind: 'repeated' } {
  const payloadDiffers = !hasContentOf(keyring, original, payloadDigest);
  return { kind: 'repeated', orderNo: original.orderNo, payloadDiffers };
}

function sortOut(requested: OrderRequest['lines']) {
  const lines: NewOrder['lines'] = [];
  const unknown: string[] = [];
  for (const { skuId, productId, qty } of requested) {
    if (productId === null) unknown.push(skuId);
    else lines.push({ skuId, productId, qty });
  }
  return { lines, unknown };
}

function withSku({ productId, available, requested }: Shortage, lines: NewOrder['lines']) {
  return { skuId: lines.find((line) => line.productId === productId)!.skuId, available, requested };
}

function lockMovement({ accountId, orderId, cause }: NewOrder, { lotId }: Lot, qty: number): Movement {
  return { accountId, lotId, kind: 'lock', onHandDelta: 0, lockedDelta: qty, orderId, cause };
}

/** An order as a partner sent it. */
export interface SubmittedOrder {
  account: KnownAccount;
  channel: OrderRequest['channel'];
  partnerNumber: string;
  content: OrderContent;
  cause: Cause;
}

export type SubmitOrder = (order: SubmittedOrder) => Promise<CreateOrderOutcome>;

/** Looks up the tenant and the products of an order, then creates it with the next group. */
export function makeSubmitOrder(parts: {
  directory: AccountDirectory;
  products: ProductDirectory;
  clock: Clock;
  create(request: OrderRequest): Promise<CreateOrderOutcome>;
}): SubmitOrder {
  const { directory, products, clock, create } = parts;
  return async ({ account, channel, partnerNumber, content, cause }) => {
    const { accountId } = account;
    const tenant = await findTenant(directory, account, content.warehouseTpwId);
    return await create({
      accountId,
      channel,
      partnerNumber,
      payloadDigest: orderDigest(content),
      tenant: tenant && {
        warehouseNo: tenant.warehouseNo,
        storeNo: tenant.storeNo,
        sellableFrom: sellableFrom(tenant, clock.now()),
        callback: tenant.callbackUrl === null ? null : targetOfTenant(content.warehouseTpwId, tenant, account),
      },
      lines: await products.withProductIds(accountId, content.lines),
      shipMethod: content.shipMethod,
      consignee: content.consignee,
      cause,
    });
  };
}
