import { useState } from 'react';
import type { CountRow, countSearch } from '../../../contract/console/counts.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { bodyOf, choicesFilter, picksFilter, useUrlFilters, warehousesFilter } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { CreateButton } from '../partners/create-button.tsx';
import { countStates, formatScope, stateTone } from './count-lot.ts';
import { CreateCount } from './create-count.tsx';
import { words } from './words.ts';

const description = { state: choicesFilter(countStates), accounts: picksFilter, warehouse: warehousesFilter } as const;

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayCount = useMay('staff');
  if (mayCount) return <Counts />;
  return (
    <>
      <PageHeader title={say.title} />
      <EmptyState title={shared.errorKind.forbidden} hint={shared.role.staff} />
    </>
  );
}

function Counts() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [isCreating, setCreating] = useState(false);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof countSearch>({
    path: '/counts/search',
    body: bodyOf(filters),
    keyOf: ({ count_id }) => String(count_id),
    topics: ['audit'],
  });
  const columns: Column<CountRow>[] = [
    idColumn('number', shared.noun.number, (row) => row.count_no, { alwaysShown: true }),
    column('what', say.column.what, (row) => formatScope(row, say)),
    column('state', shared.noun.status, ({ state }) => (
      <StatusBadge tone={stateTone[state]}>{say.state[state]}</StatusBadge>
    )),
    column('account', shared.noun.account, (row) => row.account_no),
    column('warehouse', shared.noun.warehouse, (row) => labelOf(warehouses, row.warehouse_no)),
    numberColumn('lots', say.column.lots, (row) => row.lots_counted),
    column('by', say.column.by, (row) => row.created_by),
    timeColumn('created', shared.noun.created, (row) => row.created_at),
    timeColumn('ended', say.column.ended, (row) => row.ended_at),
    idColumn('reference', say.column.reference, (row) => row.reference_no, { hiddenAtFirst: true }),
  ];
  return (
    <>
      <PageHeader title={say.title} actions={<CreateButton label={say.begin} onClick={() => setCreating(true)} />} />
      <FilteredList
        filters={filters}
        labels={{ state: shared.noun.status, accounts: shared.noun.account, warehouse: shared.noun.warehouse }}
        options={{
          state: countStates.map((value) => ({ value, label: say.state[value] })),
          accounts: accounts ?? [],
          warehouse: warehouses ?? [],
        }}
        name="counts"
        label={say.title}
        columns={columns}
        list={list}
        rowName={(row) => row.count_no}
        rowLink={(row) => `/counts/${row.count_id}`}
        phoneRow={{ beside: 'state', below: ['what', 'account', 'warehouse', 'created'] }}
        empty={{ title: say.emptyTitle, hint: say.emptyHint }}
        noMatches={{ title: say.noMatches, hint: say.noMatchesHint }}
      />
      {isCreating && <CreateCount onClose={() => setCreating(false)} />}
    </>
  );
}
