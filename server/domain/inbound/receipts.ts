import { type Lot, type LotKey, lotKeyText, lotUnitsMax } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import type { NewLot } from '../stock/stock-queries.ts';

/** Units that arrive, and their lot. */
export interface Arriving {
  /** The line of the document that the units belong to. */
  lineIndex: number;
  skuId: string;
  qty: number;
  lot: LotKey;
}

export interface Overfull {
  lineIndex: number;
  skuId: string;
  unitsMax: number;
}

/** The movements for all units that arrive with the documents of a group, and the lots to create for them. */
export interface Receipts {
  movements: Movement[];
  newLots: NewLot[];
  /** The first line whose lot would exceed the maximum number of units. */
  firstOverfull(arriving: Arriving[]): Overfull | null;
  receive(document: { accountId: number; inboundId: number; cause: Cause }, arriving: Arriving[]): void;
}

/** `existing` are the lots that exist; `lotIds` are enough ids for all lots that may have to be created. */
export function makeReceipts(existing: Lot[], lotIds: number[]): Receipts {
  const lots = new Map(existing.map((lot) => [lotKeyText(lot), lot]));
  const movements: Movement[] = [];
  const newLots: NewLot[] = [];
  let onHandMost = existing.reduce((most, { onHand }) => Math.max(most, onHand), 0);

  function lotFor(key: LotKey): Lot {
    const present = lots.get(lotKeyText(key));
    if (present) return present;
    const lot = { ...key, lotId: lotIds[newLots.length]!, onHand: 0, locked: 0 };
    newLots.push(lot);
    lots.set(lotKeyText(key), lot);
    return lot;
  }

  return {
    movements,
    newLots,
    firstOverfull(arriving) {
      // This check nearly always suffices and reads no lot.
      if (arriving.reduce((sum, { qty }) => sum + qty, onHandMost) <= lotUnitsMax) return null;
      const sums = new Map<string, number>();
      for (const { lineIndex, skuId, qty, lot } of arriving) {
        const key = lotKeyText(lot);
        const sum = (sums.get(key) ?? lots.get(key)?.onHand ?? 0) + qty;
        if (sum > lotUnitsMax) return { lineIndex, skuId, unitsMax: lotUnitsMax };
        sums.set(key, sum);
      }
      return null;
    },
    receive({ accountId, inboundId, cause }, arriving) {
      const units = new Map<string, { key: LotKey; qty: number }>();
      for (const { qty, lot } of arriving) {
        const key = lotKeyText(lot);
        units.set(key, { key: lot, qty: (units.get(key)?.qty ?? 0) + qty });
      }
      for (const { key, qty } of units.values()) {
        const lot = lotFor(key);
        lot.onHand += qty;
        onHandMost = Math.max(onHandMost, lot.onHand);
        movements.push({
          accountId,
          lotId: lot.lotId,
          kind: 'receive',
          onHandDelta: qty,
          lockedDelta: 0,
          inboundId,
          cause,
        });
      }
    },
  };
}
