/** The number of matching rows. `isMore`: there are more, or may be more, because counting was cut off. */
export interface RowCount {
  count: number;
  isMore: boolean;
}

/** The tabs of a list: rows by the value of a field that is a column; null: the list has only a total. */
export interface Tabs {
  field: string | null;
  values: readonly string[];
}

/** The number of rows that a list shows in total, and of those with each value of its tabs. */
export interface ListCounts {
  total: RowCount;
  tabs: Record<string, RowCount>;
}
