import { compareForAllocation, freeOf, type Lot } from './lot.ts';

/** The lots of one warehouse, sorted once for all orders that take from them. */
export interface ArrangedLots {
  /** In the order of allocation; of one batch, or of any (null). Lots that are used up may be missing. */
  lotsOf(productId: number, batchId: string | null): Lot[];
}

export function arrangeLots(lots: Lot[]): ArrangedLots {
  const ofAny = Map.groupBy(lots.toSorted(compareForAllocation), (lot) => lot.productId);
  const ofBatch = new Map<number, Map<string, Lot[]>>();

  function batchesOf(productId: number): Map<string, Lot[]> {
    let batches = ofBatch.get(productId);
    if (!batches) {
      batches = Map.groupBy(ofAny.get(productId) ?? [], (lot) => lot.batchId);
      ofBatch.set(productId, batches);
    }
    return batches;
  }

  return {
    lotsOf(productId, batchId) {
      const found = batchId === null ? ofAny.get(productId) : batchesOf(productId).get(batchId);
      return found ? withoutUsedUp(found) : [];
    },
  };
}

/** Lots are used up from the front, so the next order need not pass them again. */
function withoutUsedUp(lots: Lot[]): Lot[] {
  let usedUp = 0;
  while (usedUp < lots.length && freeOf(lots[usedUp]!) <= 0) usedUp++;
  if (usedUp > 0) lots.splice(0, usedUp);
  return lots;
}

/** Each warehouse has its own. */
export function arrangeByWarehouse(lots: Lot[]): (warehouseNo: number) => ArrangedLots {
  const warehouses = new Map(
    [...Map.groupBy(lots, (lot) => lot.warehouseNo)].map(([warehouseNo, those]) => [warehouseNo, arrangeLots(those)]),
  );
  const empty = arrangeLots([]);
  return (warehouseNo) => warehouses.get(warehouseNo) ?? empty;
}
