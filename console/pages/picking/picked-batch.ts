import type { PickBatch, PickLine, PickLineKey, PutUnits } from '../../../contract/console/picking.ts';

export function keyOf({ account_no, lot_id }: PickLineKey): string {
  return `${account_no}/${lot_id}`;
}

/** The units of a line that are still to be found. */
export function remainingOf({ slots }: Pick<PickLine, 'slots'>): number {
  return slots.reduce((sum, { qty, picked, short }) => sum + qty - picked - short, 0);
}

/** The line that staff have chosen, as long as it needs units; otherwise the next one on the walk. */
export function currentLine({ lines }: PickBatch, chosen: string | null): PickLine | null {
  const open = lines.filter((line) => remainingOf(line) > 0);
  return open.find((line) => keyOf(line) === chosen) ?? open[0] ?? null;
}

export function progressOf({ lines }: PickBatch): { done: number; all: number } {
  const all = lines.reduce((sum, { slots }) => sum + slots.reduce((units, { qty }) => units + qty, 0), 0);
  return { done: all - lines.reduce((sum, line) => sum + remainingOf(line), 0), all };
}

/** The batch after units were put into slots, until the server is asked again. */
export function withPut(batch: PickBatch, line: PickLineKey, put: PutUnits[]): PickBatch {
  const unitsIn = new Map(put.map(({ slot, units }) => [slot, units]));
  const add = <Counted extends { slot: number; picked: number }>(one: Counted): Counted => ({
    ...one,
    picked: one.picked + (unitsIn.get(one.slot) ?? 0),
  });
  return {
    ...batch,
    orders: batch.orders.map(add),
    lines: batch.lines.map((one) => (keyOf(one) === keyOf(line) ? { ...one, slots: one.slots.map(add) } : one)),
  };
}
