import type { LiveList } from './use-live-list.ts';

/** Makes the list of a DataTable from rows that are already loaded. */
export function plainRows<Row>(rows: Row[], keyOf: (row: Row) => string): LiveList<Row> {
  return {
    rows,
    keyOf,
    question: null,
    error: null,
    isFirst: false,
    isStale: false,
    counts: null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    askAgain: () => {},
    waiting: null,
    showWaiting: () => {},
  };
}
