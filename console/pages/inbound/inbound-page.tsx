import type { InboundListRow, inboundSearch } from '../../../contract/console/inbound-search.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSelection } from '../../kit/row-keys.ts';
import { SavedViews } from '../../kit/saved-views.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone, StatusBadge } from '../../kit/status-badge.tsx';
import { inboundStatuses } from '../../kit/statuses.ts';
import { Time } from '../../kit/time.tsx';
import {
  choicesFilter,
  type Dates,
  datesFilter,
  type FilterValues,
  picksFilter,
  textFilter,
  type UrlFilters,
  useUrlFilters,
} from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { CancelDocuments } from './cancel-documents.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { ScanDocument } from './scan-document.tsx';
import { words } from './words.ts';

const kinds = ['inbound', 'return'] as const;
const channels = ['warehouse', 'logistics'] as const;
const description = {
  number: textFilter,
  status: choicesFilter(inboundStatuses),
  kind: choicesFilter(kinds),
  accounts: picksFilter,
  warehouse: picksFilter,
  channel: choicesFilter(channels),
  arrival: datesFilter,
  created: datesFilter,
  updated: datesFilter,
} as const;

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('staff');
  const filters = useUrlFilters(description);
  const selection = useSelection();
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof inboundSearch>({
    path: '/inbound/search',
    body: bodyOf(filters.values),
    keyOf: ({ inbound_id }) => String(inbound_id),
    topics: ['inbound'],
  });

  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="inbound" />
            <ScanDocument />
          </>
        }
      />
      <FilterBar
        filters={filters}
        rare={['channel', 'created', 'updated']}
        labels={{
          number: shared.noun.number,
          status: shared.noun.status,
          kind: shared.noun.type,
          accounts: shared.noun.account,
          warehouse: shared.noun.warehouse,
          channel: shared.noun.channel,
          arrival: say.column.arrival,
          created: shared.noun.created,
          updated: shared.noun.updated,
        }}
        options={{
          status: inboundStatuses.map((value) => ({ value, label: shared.inboundStatus[value] })),
          kind: kinds.map((value) => ({ value, label: shared.inboundKind[value] })),
          channel: channels.map((value) => ({ value, label: shared.channel[value] })),
          accounts: accounts ?? [],
          warehouse: warehouses ?? [],
        }}
        placeholders={{ number: say.numberPlaceholder }}
      />
      <DataTable
        name="inbound"
        label={say.title}
        columns={useColumns(warehouses)}
        list={list}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/inbound/${row.inbound_id}`}
        {...(mayChange && { selection, bulkActions: <CancelDocuments keys={selection.keys} rows={list.rows} onDone={selection.clear} /> })}
        empty={<NothingFound filters={filters} />}
      />
    </>
  );
}

/** What to do next. */
function NothingFound({ filters }: { filters: UrlFilters<typeof description> }) {
  const say = useWords(words);
  if (filters.isEmpty) return <EmptyState title={say.emptyTitle} hint={say.emptyHint} />;
  return <NothingFits title={say.nothingFits} hint={say.nothingFitsHint} onClear={filters.clear} />;
}

function useColumns(warehouses: { value: string; label: string }[] | undefined): Column<InboundListRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const warehouseOf = (no: number) => warehouses?.find(({ value }) => value === String(no))?.label ?? String(no);
  return [
    {
      key: 'number',
      title: shared.noun.number,
      cell: (row) => <IdText value={row.partner_number} label={shared.noun.number} copy={false} />,
      alwaysShown: true,
    },
    { key: 'kind', title: shared.noun.type, cell: (row) => shared.inboundKind[row.kind] },
    {
      key: 'status',
      title: shared.noun.status,
      cell: (row) => <StatusBadge tone={inboundTone[row.status]}>{shared.inboundStatus[row.status]}</StatusBadge>,
    },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    { key: 'warehouse', title: shared.noun.warehouse, cell: (row) => warehouseOf(row.warehouse_no) },
    {
      key: 'progress',
      title: say.column.progress,
      cell: ({ announced_units, arrived_units, arrived_bad_units }) => (
        <ProgressBar announced={announced_units} good={arrived_units - arrived_bad_units} bad={arrived_bad_units} />
      ),
    },
    { key: 'lines', title: say.column.lines, align: 'right', cell: (row) => formatNumber(row.line_count) },
    { key: 'arrival', title: say.column.arrival, cell: (row) => <Time at={row.estimated_arrival_at} /> },
    { key: 'created', title: shared.noun.created, cell: (row) => <Time at={row.created_at} /> },
    { key: 'updated', title: shared.noun.updated, hiddenAtFirst: true, cell: (row) => <Time at={row.updated_at} /> },
    { key: 'channel', title: shared.noun.channel, hiddenAtFirst: true, cell: (row) => shared.channel[row.channel] },
    {
      key: 'ours',
      title: say.column.ours,
      hiddenAtFirst: true,
      cell: (row) => <IdText value={row.document_no} label={say.column.ours} copy={false} />,
    },
    {
      key: 'originalOrder',
      title: say.column.originalOrder,
      hiddenAtFirst: true,
      cell: (row) => <IdText value={row.original_order_number} label={say.column.originalOrder} copy={false} />,
    },
  ];
}

/** Without what is not set: the schema is strict. */
function bodyOf({ number, status, kind, accounts, warehouse, channel, arrival, created, updated }: FilterValues<typeof description>) {
  const warehouseNos = warehouse.map(Number).filter((no) => Number.isInteger(no) && no > 0);
  return {
    ...(number !== '' && { number }),
    ...(status.length > 0 && { status }),
    ...(kind.length > 0 && { kind }),
    ...(accounts.length > 0 && { accounts }),
    ...(warehouseNos.length > 0 && { warehouse_no: warehouseNos }),
    ...(channel.length > 0 && { channel }),
    ...daysOf('arrival', arrival),
    ...daysOf('created', created),
    ...daysOf('updated', updated),
  };
}

function daysOf(name: 'arrival' | 'created' | 'updated', { from, to }: Dates) {
  return { ...(from !== null && { [`${name}_from`]: from }), ...(to !== null && { [`${name}_to`]: to }) };
}
