import type { InboundListRow, inboundSearch } from '../../../contract/console/inbound.ts';
import { column, idColumn, numberColumn, statusColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSelection } from '../../kit/row-keys.ts';
import { SavedViews } from '../../kit/saved-views.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone } from '../../kit/status-badge.tsx';
import { inboundChannels, inboundKinds, inboundSorts, inboundStatuses, storageTypes } from '../../kit/statuses.ts';
import { Time } from '../../kit/time.tsx';
import {
  bodyOf,
  choicesFilter,
  datesFilter,
  flagFilter,
  pickFilter,
  picksFilter,
  textFilter,
  useUrlFilters,
  warehousesFilter,
} from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { words as kitWords } from '../../kit/words.ts';
import { ImportLink } from '../import/import-link.tsx';
import { Arrivals, isOverdue } from './arrivals.tsx';
import { CancelDocuments } from './cancel-documents.tsx';
import classes from './inbound.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { ScanDocument } from './scan-document.tsx';
import { words } from './words.ts';

const description = {
  number: textFilter,
  status: choicesFilter(inboundStatuses),
  kind: choicesFilter(inboundKinds),
  accounts: picksFilter,
  warehouse: warehousesFilter,
  channel: choicesFilter(inboundChannels),
  arrival: datesFilter,
  created: datesFilter,
  updated: datesFilter,
  sku: { ...textFilter, field: 'sku_id' },
  storage: choicesFilter(storageTypes),
  sort: { ...pickFilter, choices: inboundSorts },
  reversed: flagFilter,
} as const;

export function Component() {
  const say = useWords(words);
  const mayChange = useMay('staff');
  const filters = useUrlFilters(description);
  const selection = useSelection();
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof inboundSearch>({
    path: '/inbound/search',
    body: bodyOf(filters),
    keyOf: ({ inbound_id }) => String(inbound_id),
    topics: ['inbound'],
    counted: true,
  });

  const cancellable = list.rows.filter(
    ({ inbound_id, can_cancel }) => can_cancel && selection.keys.has(String(inbound_id)),
  );

  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="inbound" />
            <ImportLink kind="inbound" />
            <ScanDocument />
          </>
        }
      />
      <Arrivals filters={filters} />
      <FilteredList
        filters={filters}
        rare={['channel', 'created', 'updated', 'sku', 'storage', 'sort', 'reversed']}
        tabs="status"
        {...useFilterTexts(accounts, warehouses)}
        placeholders={{ number: say.numberPlaceholder }}
        name="inbound"
        label={say.title}
        columns={useColumns(warehouses)}
        list={list}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/inbound/${row.inbound_id}`}
        phoneRow={{ beside: 'status', below: ['kind', 'account', 'progress', 'arrival'] }}
        {...(mayChange && {
          selection,
          bulkActions: <CancelDocuments documents={cancellable} onDone={selection.clear} />,
        })}
        empty={{ title: say.emptyTitle, hint: say.emptyHint }}
        noMatches={{ title: say.noMatches, hint: say.nothingFitsHint }}
      />
    </>
  );
}

function useFilterTexts(accounts: Option[] | undefined, warehouses: Option[] | undefined) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sayKit = useWords(kitWords);
  return {
    labels: {
      number: shared.noun.number,
      status: shared.noun.status,
      kind: shared.noun.type,
      accounts: shared.noun.account,
      warehouse: shared.noun.warehouse,
      channel: shared.noun.channel,
      arrival: say.column.arrival,
      created: shared.noun.created,
      updated: shared.noun.updated,
      sku: shared.noun.sku,
      storage: shared.noun.storage,
      sort: sayKit.sort,
      reversed: sayKit.reversed,
    },
    options: {
      status: inboundStatuses.map((value) => ({ value, label: shared.inboundStatus[value] })),
      kind: inboundKinds.map((value) => ({ value, label: shared.inboundKind[value] })),
      channel: inboundChannels.map((value) => ({ value, label: shared.channel[value] })),
      accounts: accounts ?? [],
      warehouse: warehouses ?? [],
      storage: storageTypes.map((value) => ({ value, label: shared.storageType[value] })),
      sort: inboundSorts.map((value) => ({
        value,
        label: value === 'arrival' ? say.column.arrival : shared.noun[value],
      })),
    },
  };
}

function useColumns(warehouses: Option[] | undefined): Column<InboundListRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const hidden = { hiddenAtFirst: true };
  const newestFirst = (by: string) => ({ sort: { by, first: 'descending' as const } });
  return [
    idColumn('number', shared.noun.number, (row) => row.partner_number, { alwaysShown: true }),
    column('kind', shared.noun.type, (row) => shared.inboundKind[row.kind]),
    statusColumn(shared.noun.status, inboundTone, shared.inboundStatus),
    column('account', shared.noun.account, (row) => row.account_no),
    column('warehouse', shared.noun.warehouse, (row) => labelOf(warehouses, row.warehouse_no)),
    column('progress', say.column.progress, ({ announced_units, arrived_units, arrived_bad_units }) => (
      <ProgressBar announced={announced_units} good={arrived_units - arrived_bad_units} bad={arrived_bad_units} />
    )),
    numberColumn('lines', say.column.lines, (row) => row.line_count),
    column(
      'arrival',
      say.column.arrival,
      (row) => (
        <span className={isOverdue(row) ? classes.overdue : undefined}>
          <Time at={row.estimated_arrival_at} />
        </span>
      ),
      { sort: { by: 'arrival', first: 'ascending' } },
    ),
    timeColumn('created', shared.noun.created, (row) => row.created_at, newestFirst('created')),
    timeColumn('updated', shared.noun.updated, (row) => row.updated_at, { ...hidden, ...newestFirst('updated') }),
    { key: 'channel', title: shared.noun.channel, cell: (row) => shared.channel[row.channel], ...hidden },
    idColumn('ours', say.column.ours, (row) => row.document_no, hidden),
    {
      key: 'originalOrder',
      title: say.column.originalOrder,
      cell: ({ original_order_number: number, order }) => (
        <IdText
          value={number}
          label={say.column.originalOrder}
          copy={false}
          {...(order && { to: `/orders/${order.order_id}` })}
        />
      ),
      ...hidden,
    },
  ];
}
