import type { LiveList } from './use-live-list.ts';

/** Rows that are all there already, for a DataTable. */
export function plainRows<Row>(rows: Row[], keyOf: (row: Row) => string): LiveList<Row> {
  return {
    rows,
    keyOf,
    error: null,
    isFirst: false,
    isStale: false,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    askAgain: () => {},
    waiting: null,
    showWaiting: () => {},
  };
}
