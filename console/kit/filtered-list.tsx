import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { FilterBar, type FilterBarProps } from './filter-bar.tsx';
import { NoMatches } from './no-matches.tsx';
import type { FilterDescription } from './url-filters.ts';

export interface FilteredListProps<Row, Description extends FilterDescription>
  extends FilterBarProps<Description>,
    Omit<DataTableProps<Row>, 'empty'> {
  /** Replaces the table when no filter is set and there are no rows: says what to do next. */
  empty: EmptyStateProps;
  /** Replaces the table when no row matches the filters; without it, `empty` does. */
  noMatches?: { title: string; hint: string };
  /** Shown between the filters and the table. */
  notice?: ReactNode;
}

/** A list with its filters. Every list page uses it. */
export function FilteredList<Row, Description extends FilterDescription>({
  filters,
  labels,
  options,
  placeholders,
  lead,
  rare,
  empty,
  noMatches,
  notice,
  ...table
}: FilteredListProps<Row, Description>) {
  const bar = { filters, labels, options, lead, ...(placeholders && { placeholders }), ...(rare && { rare }) };
  return (
    <>
      <FilterBar {...bar} />
      {notice}
      <DataTable
        {...table}
        empty={
          filters.isEmpty || !noMatches ? (
            <EmptyState {...empty} />
          ) : (
            <NoMatches {...noMatches} onClear={filters.clear} />
          )
        }
      />
    </>
  );
}
