import { freeOf, type Lot, type LotKey, lotKeyText, lotUnitsMax, type StockType } from './lot.ts';
import type { ShelfName, Shelves } from './shelf-queries.ts';

/** A lot as people refer to it within an account. */
export interface LotName extends ShelfName {
  stockType: StockType;
  /** Empty: no batch. */
  batchId: string;
  /** null: the lot does not expire. */
  expireDate: string | null;
}

/** The units to add or, if negative, to remove; or all units on hand as somebody counted them, locked ones included. */
export type UnitsChange = { delta: number } | { counted: number };

/** A change of one lot by a person or a partner. */
export interface LotChange {
  lot: LotName;
  units: UnitsChange;
  reason: string;
  /** Only for the two sides of a move. */
  otherWarehouseNo?: number;
}

/** The lot after a change; `delta` is the difference that was recorded. */
export interface ChangedLot {
  delta: number;
  onHand: number;
  locked: number;
}

/** Why a change of a lot is rejected. */
export type RefusedChange =
  | { kind: 'not_found'; what: 'product' | 'warehouse' | 'lot' }
  /** The units would be in a warehouse that the account does not use, so nobody could order them. */
  | { kind: 'not_kept_there' }
  /** Units that orders have locked cannot be removed. */
  | { kind: 'too_few_free'; free: number; locked: number }
  | { kind: 'too_many_units'; onHand: number; unitsMax: number };

/** A change that is rejected, by its index in the list. */
export interface ChangeMistake<Refused = RefusedChange> {
  index: number;
  refused: Refused;
}

/** A change with its lot; the lot has no id yet if the change creates it. */
export interface PlannedChange {
  change: LotChange;
  key: LotKey;
  lotId: number | null;
  delta: number;
}

export type ChangePlan =
  | { kind: 'refused'; mistakes: ChangeMistake[] }
  /** Changes that make no difference are in `results` only. */
  | { kind: 'planned'; planned: PlannedChange[]; results: ChangedLot[] };

type Balance = Pick<Lot, 'onHand' | 'locked'> & { lotId: number | null };

/** Decides about all changes in their order, each on the balances that the ones before it leave. */
export function planChange(accountId: number, changes: LotChange[], shelves: Shelves, lots: Lot[]): ChangePlan {
  const balances = new Map<string, Balance>(lots.map((lot) => [lotKeyText(lot), lot]));
  const mistakes: ChangeMistake[] = [];
  const planned: PlannedChange[] = [];
  const results: ChangedLot[] = [];
  for (const [index, change] of changes.entries()) {
    const key = lotKeyOf(accountId, change.lot, shelves);
    if ('kind' in key) {
      mistakes.push({ index, refused: key });
      continue;
    }
    const balance = balances.get(lotKeyText(key));
    const { lotId, onHand, locked } = balance ?? { lotId: null, onHand: 0, locked: 0 };
    const delta = 'delta' in change.units ? change.units.delta : change.units.counted - onHand;
    const refused = refuseChange(balance, delta, mayArrive(change, shelves, delta, balance));
    if (refused) mistakes.push({ index, refused });
    else {
      if (delta !== 0) {
        balances.set(lotKeyText(key), { lotId, onHand: onHand + delta, locked });
        planned.push({ change, key, lotId, delta });
      }
      results.push({ delta, onHand: onHand + delta, locked });
    }
  }
  return mistakes.length > 0 ? { kind: 'refused', mistakes } : { kind: 'planned', planned, results };
}

/** The keys of the named lots, without those whose product or warehouse does not exist. */
export function lotKeysOf(accountId: number, changes: LotChange[], shelves: Shelves): LotKey[] {
  return changes.flatMap(({ lot }) => {
    const key = lotKeyOf(accountId, lot, shelves);
    return 'kind' in key ? [] : [key];
  });
}

function lotKeyOf(
  accountId: number,
  { skuId, warehouseNo, stockType, batchId, expireDate }: LotName,
  { productIds, warehouses }: Shelves,
): LotKey | (RefusedChange & { kind: 'not_found' }) {
  if (!warehouses.has(warehouseNo)) return { kind: 'not_found', what: 'warehouse' };
  const productId = productIds.get(skuId);
  if (productId === undefined) return { kind: 'not_found', what: 'product' };
  return { accountId, productId, warehouseNo, stockType, batchId, expireDate };
}

/** Units of a move, and units of a lot that does not exist yet, need a warehouse that the account uses. */
function mayArrive(
  { lot, otherWarehouseNo }: LotChange,
  { warehouses }: Shelves,
  delta: number,
  balance: Balance | undefined,
): boolean {
  const isMoveTo = otherWarehouseNo !== undefined && delta > 0;
  return warehouses.get(lot.warehouseNo)!.isInUse || (balance !== undefined && !isMoveTo);
}

function refuseChange(balance: Balance | undefined, delta: number, arrives: boolean): RefusedChange | null {
  if (!balance && delta < 0) return { kind: 'not_found', what: 'lot' };
  if (!arrives) return { kind: 'not_kept_there' };
  const { onHand, locked } = balance ?? { onHand: 0, locked: 0 };
  const free = freeOf({ onHand, locked });
  if (free + delta < 0) return { kind: 'too_few_free', free, locked };
  return onHand + delta > lotUnitsMax ? { kind: 'too_many_units', onHand, unitsMax: lotUnitsMax } : null;
}
