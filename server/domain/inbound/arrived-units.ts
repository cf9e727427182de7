import type { NotifiedUnits } from '../callbacks/callback.ts';

/** Units of a document that have arrived, per lot; the quantity sums all receipts. */
export type ArrivedUnits = NotifiedUnits;

/** One entry per lot; good before bad, then the earliest expiry first. */
export function sumArrived(units: ArrivedUnits[]): ArrivedUnits[] {
  const byLot = Map.groupBy(units, ({ skuId, stockType, batchId, expireDate }) =>
    JSON.stringify([skuId, stockType, batchId, expireDate]),
  );
  const summed = [...byLot.values()].map((those) => {
    const { skuId, stockType, batchId, expireDate } = those[0]!;
    return { skuId, stockType, batchId, expireDate, qty: sum(those) };
  });
  return summed.filter(({ qty }) => qty !== 0).toSorted(compareArrived);
}

function compareArrived(one: ArrivedUnits, other: ArrivedUnits): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at === -1) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}

const never = '9999-12-31~';

function placeOf({ skuId, stockType, batchId, expireDate }: ArrivedUnits): string[] {
  return [skuId, stockType === 'good' ? '0' : '1', expireDate ?? never, batchId];
}

/** A product of which more or fewer units have arrived than were announced. */
export interface Difference {
  skuId: string;
  announced: number;
  received: number;
}

/** Good and bad units together, missing or in excess, in the order announced. */
export function differencesOf(announced: Counted[], received: Counted[]): Difference[] {
  const announcedOf = Map.groupBy(announced, ({ skuId }) => skuId);
  const receivedOf = Map.groupBy(received, ({ skuId }) => skuId);
  const skuIds = new Set([...announcedOf.keys(), ...receivedOf.keys()]);
  return [...skuIds]
    .map((skuId) => ({
      skuId,
      announced: sum(announcedOf.get(skuId) ?? []),
      received: sum(receivedOf.get(skuId) ?? []),
    }))
    .filter((one) => one.announced !== one.received);
}

interface Counted {
  skuId: string;
  qty: number;
}

function sum(units: { qty: number }[]): number {
  return units.reduce((total, { qty }) => total + qty, 0);
}
