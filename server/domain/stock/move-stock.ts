import { contentDigest } from '../../platform/json/content-digest.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { changeStock } from './change-stock.ts';
import type { Cause } from './movement.ts';
import type { ChangedLot, ChangeMistake, LotChange, LotName, RefusedChange } from './stock-change.ts';

export interface MoveLine {
  /** The lot that the units leave. */
  lot: LotName;
  toWarehouseNo: number;
  /** At least 1. */
  units: number;
}

export interface Move {
  accountId: number;
  referenceNo: string;
  lines: MoveLine[];
  reason: string | null;
  cause: Cause;
}

/** Both lots of a line after the move. */
export interface MovedLine {
  from: ChangedLot;
  to: ChangedLot;
}

export interface MoveMistake {
  /** The index of the line. */
  index: number;
  /** The lot that the units leave, or the one that they would reach. */
  side: 'from' | 'to';
  refused: RefusedChange | { kind: 'same_warehouse' };
}

export type MoveOutcome =
  | { kind: 'moved' | 'repeated'; lines: MovedLine[] }
  | { kind: 'conflict' }
  | { kind: 'refused'; mistakes: MoveMistake[] };

/** The reason of a movement whose mover gave none; a movement without a document must have one. */
const reasonOfMove = 'moved between warehouses';

/** Moves free units to the same lots of other warehouses: two movements for each line, all lines or none. */
export async function moveStock(
  database: Database,
  { accountId, referenceNo, lines, reason, cause }: Move,
): Promise<MoveOutcome> {
  const nowhere = lines.flatMap(({ lot, toWarehouseNo }, index) =>
    lot.warehouseNo === toWarehouseNo ? [{ index, side: 'to', refused: { kind: 'same_warehouse' } } as const] : [],
  );
  if (nowhere.length > 0) return { kind: 'refused', mistakes: nowhere };

  const outcome = await changeStock(database, {
    accountId,
    changes: lines.flatMap((line) => bothSides(line, reason ?? reasonOfMove)),
    name: { kind: 'move', referenceNo, payloadDigest: moveDigest(lines, reason) },
    cause,
  });
  switch (outcome.kind) {
    case 'changed':
      return { kind: 'moved', lines: inPairs(outcome.lots) };
    case 'repeated':
      return { kind: 'repeated', lines: inPairs(outcome.lots) };
    case 'refused':
      return { kind: 'refused', mistakes: mistakesByLine(outcome.mistakes) };
    default:
      return outcome;
  }
}

function bothSides({ lot, toWarehouseNo, units }: MoveLine, reason: string): LotChange[] {
  const target = { ...lot, warehouseNo: toWarehouseNo };
  return [
    { lot, units: { delta: -units }, reason, otherWarehouseNo: toWarehouseNo },
    { lot: target, units: { delta: units }, reason, otherWarehouseNo: lot.warehouseNo },
  ];
}

function inPairs(lots: ChangedLot[]): MovedLine[] {
  return lots.flatMap((from, index) => (index % 2 === 0 ? [{ from, to: lots[index + 1]! }] : []));
}

/** One mistake per line: what is wrong with both sides, such as the product, is said once. */
function mistakesByLine(mistakes: ChangeMistake[]): MoveMistake[] {
  const byLine = new Map<number, MoveMistake>();
  for (const { index: change, refused } of mistakes) {
    const index = Math.floor(change / 2);
    if (!byLine.has(index)) byLine.set(index, { index, side: change % 2 === 0 ? 'from' : 'to', refused });
  }
  return [...byLine.values()];
}

function moveDigest(lines: MoveLine[], reason: string | null): string {
  const content = lines.map(({ lot, toWarehouseNo, units }) => {
    const { warehouseNo, skuId, stockType, batchId, expireDate } = lot;
    return [warehouseNo, toWarehouseNo, skuId, stockType, batchId, expireDate, units];
  });
  return contentDigest(['move', content, reason]);
}
