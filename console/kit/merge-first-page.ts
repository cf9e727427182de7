export interface FreshPage<Row> {
  rows: readonly Row[];
  /** There are no further pages. */
  isLast: boolean;
}

export interface Merged<Row> {
  /** The shown rows in their order, with updated values. */
  rows: Row[];
  /** New rows that are not shown yet. */
  newCount: number;
  /** Whether a refresh would move, add or remove a row. */
  hasMoved: boolean;
}

/** Merges a refreshed first page into the shown list without moving any row under the pointer. */
export function mergeFirstPage<Row>(
  shown: readonly Row[],
  { rows: fresh, isLast }: FreshPage<Row>,
  keyOf: (row: Row) => string,
): Merged<Row> {
  const freshByKey = new Map(fresh.map((row) => [keyOf(row), row]));
  const shownKeys = new Set(shown.map(keyOf));
  const newCount = fresh.filter((row) => !shownKeys.has(keyOf(row))).length;
  const hasEndedEarlier = isLast && shown.length > fresh.length;
  const hasMoved =
    hasEndedEarlier || fresh.some((row, place) => shown[place] === undefined || keyOf(shown[place]) !== keyOf(row));
  return { rows: shown.map((row) => freshByKey.get(keyOf(row)) ?? row), newCount, hasMoved };
}
