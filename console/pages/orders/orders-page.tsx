import { Button, Group, Text, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OrderListRow, orderSearch } from '../../../contract/console/order-search.ts';
import { DangerButton } from '../../kit/danger-button.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type Option } from '../../kit/filter-bar.tsx';
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
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { orderChannels, orderStatuses } from '../../kit/statuses.ts';
import { Time } from '../../kit/time.tsx';
import { type UrlFilters, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { type OrderAction, OrderActionDialog } from './order-actions.tsx';
import { exportAddress, orderFilters, questionOf, rareFilters, sortChoices, transferChoices } from './order-filters.ts';
import { sentBy } from './sent-by.ts';
import { words } from './words.ts';

const actedOnMax = 100;

/** The list of orders. */
export function Component() {
  const say = useWords(words);
  const mayChange = useMay('staff');
  const filters = useUrlFilters(orderFilters);
  const selection = useSelection();
  const warehouses = useWarehouseOptions();
  const question = questionOf(filters.values);
  const list = useLiveList<typeof orderSearch>({
    path: '/orders/search',
    body: question,
    keyOf: ({ order_id }) => String(order_id),
    topics: ['orders'],
  });
  const selected = list.rows.filter(({ order_id }) => selection.keys.has(String(order_id)));

  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="orders" />
            {mayChange && <ExportButton address={exportAddress(question)} />}
          </>
        }
      />
      <OrderFilterBar filters={filters} warehouses={warehouses ?? []} />
      <DataTable
        name="orders"
        label={say.title}
        columns={useColumns(warehouses)}
        list={list}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/orders/${row.order_id}`}
        {...(mayChange && { selection, bulkActions: <BulkActions orders={selected} onDone={selection.clear} /> })}
        empty={<NoOrders onClear={filters.isEmpty ? null : filters.clear} />}
      />
    </>
  );
}

function ExportButton({ address }: { address: string }) {
  const say = useWords(words);
  return (
    <Tooltip label={say.list.exportHint} multiline w={260}>
      <Button component="a" href={address} download variant="default" leftSection={<IconDownload size={15} />}>
        {say.list.export}
      </Button>
    </Tooltip>
  );
}

interface OrderFilterBarProps {
  filters: UrlFilters<typeof orderFilters>;
  warehouses: Option[];
}

function OrderFilterBar({ filters, warehouses }: OrderFilterBarProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const accounts = useAccountOptions();
  return (
    <FilterBar
      filters={filters}
      rare={rareFilters}
      labels={{
        number: shared.noun.number,
        status: shared.noun.status,
        accounts: shared.noun.account,
        warehouse: shared.noun.warehouse,
        created: shared.noun.created,
        shipment: say.list.shipment,
        name: say.list.shopOrder,
        channel: shared.noun.channel,
        store: say.list.store,
        transfer: say.list.transfer,
        updated: shared.noun.updated,
        sort: say.list.sort,
      }}
      options={{
        status: orderStatuses.map((value) => ({ value, label: shared.orderStatus[value] })),
        accounts: accounts ?? [],
        warehouse: warehouses,
        channel: orderChannels.map((value) => ({ value, label: shared.channel[value] })),
        transfer: transferChoices.map((value) => ({ value, label: say.transferStatus[value] })),
        sort: sortChoices.map((value) => ({ value, label: shared.noun[value] })),
      }}
      placeholders={{ number: say.list.numberPlaceholder }}
    />
  );
}

function useColumns(warehouses: Option[] | undefined): Column<OrderListRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const warehouseOf = (no: number) => warehouses?.find(({ value }) => value === String(no))?.label ?? String(no);
  const id = (value: string | null, label: string) => <IdText value={value} label={label} copy={false} />;
  return [
    { key: 'number', title: shared.noun.number, alwaysShown: true, cell: (row) => id(row.partner_number, shared.noun.number) },
    { key: 'status', title: shared.noun.status, cell: (row) => <OrderState row={row} /> },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    { key: 'shopOrder', title: say.list.shopOrder, cell: (row) => id(row.name, say.list.shopOrder) },
    { key: 'units', title: say.list.units, align: 'right', cell: (row) => formatNumber(row.units) },
    { key: 'lines', title: say.list.lines, align: 'right', hiddenAtFirst: true, cell: (row) => formatNumber(row.line_count) },
    { key: 'shipment', title: say.list.shipment, cell: (row) => id(row.shipment_no, say.list.shipment) },
    { key: 'warehouse', title: shared.noun.warehouse, cell: (row) => warehouseOf(row.warehouse_no) },
    { key: 'created', title: shared.noun.created, cell: (row) => <Time at={row.created_at} /> },
    { key: 'updated', title: shared.noun.updated, hiddenAtFirst: true, cell: (row) => <Time at={row.updated_at} /> },
    { key: 'channel', title: shared.noun.channel, hiddenAtFirst: true, cell: (row) => shared.channel[row.channel] },
    { key: 'sentBy', title: say.list.sentBy, hiddenAtFirst: true, cell: (row) => sentBy(row) },
    { key: 'carrier', title: say.list.carrier, hiddenAtFirst: true, cell: (row) => row.carrier },
    { key: 'store', title: say.list.store, hiddenAtFirst: true, cell: (row) => row.store_no },
    { key: 'ours', title: say.list.ours, hiddenAtFirst: true, cell: (row) => id(row.order_no, say.list.ours) },
  ];
}

/** With a warning where the warehouse did not want it: its state alone would not tell. */
function OrderState({ row }: { row: OrderListRow }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Group gap={8} wrap="wrap">
      <StatusBadge tone={orderTone[row.status]}>{shared.orderStatus[row.status]}</StatusBadge>
      {row.transfer_status === 'rejected' && <StatusBadge tone="failed">{say.transferStatus.rejected}</StatusBadge>}
    </Group>
  );
}

function NoOrders({ onClear }: { onClear: (() => void) | null }) {
  const say = useWords(words);
  if (onClear === null) {
    const action = (
      <Button component={Link} to="/partners" variant="default">
        {say.list.emptyAction}
      </Button>
    );
    return <EmptyState title={say.list.emptyTitle} hint={say.list.emptyHint} action={action} />;
  }
  return <NothingFits title={say.list.nothingFits} hint={say.list.nothingFitsHint} onClear={onClear} />;
}

const bulkSteps = ['pick', 'pack', 'ship'] as const;

function BulkActions({ orders, onDone }: { orders: OrderListRow[]; onDone(): void }) {
  const say = useWords(words);
  const [action, setAction] = useState<OrderAction | null>(null);
  const [count, tooMany] = [formatNumber(orders.length), orders.length > actedOnMax];
  const isDisabled = tooMany || orders.length === 0;
  return (
    <>
      {bulkSteps.map((one) => (
        <Button key={one} variant="default" disabled={isDisabled} onClick={() => setAction(one)}>
          {say.step[one]}
        </Button>
      ))}
      <DangerButton disabled={isDisabled} onClick={() => setAction('cancel')}>
        {say.cancelButton(say.orders(count))}
      </DangerButton>
      {tooMany && <Text size="sm">{say.tooMany(formatNumber(actedOnMax))}</Text>}
      <OrderActionDialog action={action} orders={orders} onClose={() => setAction(null)} onDone={onDone} />
    </>
  );
}
