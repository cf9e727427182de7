export interface FreshPage<Row> {
  rows: readonly Row[];
  /** Nothing follows it. */
  isLast: boolean;
}

export interface Merged<Row> {
  /** Those shown, in their places, with what is new about them. */
  rows: Row[];
  /** Rows that came and are not shown yet. */
  newCount: number;
  /** Whether showing the list anew would move, add or remove a row. */
  hasMoved: boolean;
}

/** What becomes of a list that is looked at, when its first page was asked for anew: no row moves under the pointer. */
export function mergeFirstPage<Row>(
  shown: readonly Row[],
  { rows: fresh, isLast }: FreshPage<Row>,
  keyOf: (row: Row) => string,
): Merged<Row> {
  const freshByKey = new Map(fresh.map((row) => [keyOf(row), row]));
  const shownKeys = new Set(shown.map(keyOf));
  const newCount = fresh.filter((row) => !shownKeys.has(keyOf(row))).length;
  const hasEndedEarlier = isLast && shown.length > fresh.length;
  const hasMoved = hasEndedEarlier || fresh.some((row, place) => shown[place] === undefined || keyOf(shown[place]) !== keyOf(row));
  return { rows: shown.map((row) => freshByKey.get(keyOf(row)) ?? row), newCount, hasMoved };
}
