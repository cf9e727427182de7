import { arrangeLots } from '../stock/arrange-lots.ts';
import { compareForAllocation, type Lot } from '../stock/lot.ts';
import { type AllocationPlan, explainPassedOver, type PassedOver, planAllocation } from '../stock/plan-allocation.ts';
import { shareLots } from '../transfers/transfer-lots.ts';
import type { DetailLine, LotSince, TakenLot } from './order-detail-queries.ts';

export type TakenWhy = 'named_batch' | 'expires_first' | 'expires_next' | 'oldest' | 'next_oldest';

export interface LineLot {
  lotId: number;
  batchId: string;
  expireDate: string | null;
  qty: number;
  why: TakenWhy;
}

/**
 * Which line took which units, and why. Units are taken for the order as a whole; lines that name a batch come first.
 */
export function explainTaken(lines: DetailLine[], taken: TakenLot[]): Map<number, LineLot[]> {
  const held = taken.map(({ sku_id, batch_id, expire_date, taken: qty }) => ({
    skuId: sku_id,
    batchId: batch_id,
    expireDate: expire_date,
    qty,
  }));
  const shared = shareLots(
    lines.map(({ line_no, sku_id, qty, batch_id }) => ({ lineNo: line_no, skuId: sku_id, qty, batchId: batch_id })),
    held,
  );
  const lotOf = (skuId: string, batchId: string, expireDate: string | null) =>
    taken.find((lot) => lot.sku_id === skuId && lot.batch_id === batchId && lot.expire_date === expireDate)!;
  const firstIds = firstLotIds(taken);
  return new Map(
    shared.map(({ lineNo, skuId, batchId, lots }) => [
      lineNo,
      lots.map((lot) => {
        const { lot_id: lotId } = lotOf(skuId, lot.batchId, lot.expireDate);
        return {
          ...lot,
          lotId,
          why: whyTaken(lot.expireDate, { isNamed: batchId !== null, isFirst: firstIds.has(lotId) }),
        };
      }),
    ]),
  );
}

/** For each product, the lot that was taken from first. */
function firstLotIds(taken: TakenLot[]): Set<number> {
  const place = (lot: TakenLot) => ({ lotId: lot.lot_id, expireDate: lot.expire_date }) as Lot;
  const bySku = Map.groupBy(
    taken.toSorted((one, other) => compareForAllocation(place(one), place(other))),
    (lot) => lot.sku_id,
  );
  return new Set([...bySku.values()].map(([first]) => first!.lot_id));
}

function whyTaken(expireDate: string | null, { isNamed, isFirst }: { isNamed: boolean; isFirst: boolean }): TakenWhy {
  if (isNamed) return 'named_batch';
  if (expireDate === null) return isFirst ? 'oldest' : 'next_oldest';
  return isFirst ? 'expires_first' : 'expires_next';
}

export const explainedMax = { lotsMax: 200, movementsMax: 1000 };

export interface PassedOverLots {
  /**
   * The ledger shows the stock at that time. For a lot with too many movements since then, reading them would take too
   * long.
   */
  asOf: 'then' | 'now';
  passedOver: (PassedOver & { skuId: string })[];
  hasMore: boolean;
  shortages: { skuId: string; available: number; requested: number }[];
}

/** The other lots and why nothing was taken from them; for a waiting order, also what it is short of. */
export function explainOthers(
  lines: DetailLine[],
  taken: TakenLot[],
  found: LotSince[],
  { sellableFrom, isWaiting }: { sellableFrom: string | null; isWaiting: boolean },
): PassedOverLots {
  const hasMore = found.length > explainedMax.lotsMax;
  const known = found.slice(0, explainedMax.lotsMax);
  const asOf =
    taken.length > 0 && known.every((lot) => lot.movementsSince <= explainedMax.movementsMax) ? 'then' : 'now';
  const lots = known.map((lot) => (asOf === 'then' ? asItWas(lot) : lot)).filter((lot) => lot.onHand > 0);
  const demands = lines.map(({ product_id, batch_id, qty }) => ({ productId: product_id, batchId: batch_id, qty }));

  const takenIds = new Set(taken.map((lot) => lot.lot_id));
  const plan: AllocationPlan = isWaiting
    ? planAllocation(arrangeLots(lots), demands, sellableFrom)
    : { kind: 'planned', picks: lots.filter((lot) => takenIds.has(lot.lotId)).map((lot) => ({ lot, qty: 0 })) };
  const skuOf = new Map(lines.map((line) => [line.product_id, line.sku_id]));
  return {
    asOf,
    hasMore,
    passedOver: explainPassedOver(plan, lots, demands, sellableFrom).map((one) => ({
      ...one,
      skuId: skuOf.get(one.lot.productId)!,
    })),
    shortages:
      plan.kind === 'short'
        ? plan.shortages.map(({ productId, ...rest }) => ({ skuId: skuOf.get(productId)!, ...rest }))
        : [],
  };
}

function asItWas(lot: LotSince): LotSince {
  return { ...lot, onHand: lot.onHand - lot.onHandSince, locked: lot.locked - lot.lockedSince };
}
