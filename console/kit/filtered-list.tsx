import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { FilterBar, type FilterBarProps, type Option } from './filter-bar.tsx';
import { ListTabs } from './list-tabs.tsx';
import { NoMatches } from './no-matches.tsx';
import type { FilterDescription, UrlFilters } from './url-filters.ts';
import type { ListCounts } from './use-live-list.ts';

export interface FilteredListProps<Row, Description extends FilterDescription>
  extends FilterBarProps<Description>,
    Omit<DataTableProps<Row>, 'empty'> {
  /** Replaces the table when no filter is set and there are no rows: says what to do next. */
  empty: EmptyStateProps;
  /** Replaces the table when no row matches the filters; without it, `empty` does. */
  noMatches?: { title: string; hint: string };
  /** Shown between the filters and the table. */
  notice?: ReactNode;
  /** The filter whose values are tabs above the filters, with the number of rows of each. */
  tabs?: {
    [Name in keyof Description]: Description[Name]['kind'] extends 'choices' | 'pick' ? Name : never;
  }[keyof Description];
}

/** A list with its filters. Every list page uses it. */
export function FilteredList<Row, Description extends FilterDescription>({
  filters,
  labels,
  options,
  placeholders,
  lead,
  trail,
  rare,
  empty,
  noMatches,
  notice,
  tabs,
  ...table
}: FilteredListProps<Row, Description>) {
  const bar = { filters, labels, options, lead, trail, ...(placeholders && { placeholders }), ...(rare && { rare }) };
  return (
    <>
      {tabs !== undefined && <FilterTabs name={String(tabs)} {...bar} counts={table.list.counts} />}
      <FilterBar {...bar} />
      {notice}
      <DataTable
        {...table}
        {...sortOf(filters)}
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

interface FilterTabsProps {
  name: string;
  filters: { description: FilterDescription; values: Record<string, unknown>; set(change: never): void };
  labels: Record<string, string>;
  options: object;
  counts: ListCounts | null;
}

function FilterTabs({ name, filters: { description, values, set }, labels, options, counts }: FilterTabsProps) {
  const isMany = description[name]?.kind === 'choices';
  const value = values[name];
  const chosen = isMany ? (value as string[]) : [value as string].filter((one) => one !== '');
  return (
    <ListTabs
      label={labels[name] ?? name}
      options={(options as Record<string, Option[]>)[name] ?? []}
      chosen={chosen}
      counts={counts}
      onChoose={(next) => set({ [name]: isMany ? next : (next[0] ?? '') } as never)}
    />
  );
}

/** A list whose filters include `sort` and `reversed` can be sorted by the titles of its columns. */
function sortOf({ description, values, set }: UrlFilters<FilterDescription>) {
  if (description.sort === undefined || description.reversed === undefined) return {};
  const choose = (sort: string, reversed: boolean) => set({ sort, reversed });
  return { sort: { by: values.sort as string, reversed: values.reversed as boolean, choose } };
}
