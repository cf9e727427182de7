import { Button, Group, Text, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OrderListRow, orderSearch } from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { DangerButton } from '../../kit/danger-button.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSelection } from '../../kit/row-keys.ts';
import { SavedViews } from '../../kit/saved-views.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { orderChannels, orderStatuses } from '../../kit/statuses.ts';
import { useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { useClaim } from '../picking/use-claim.ts';
import { PrintMenu } from '../print/print-menu.tsx';
import { isLeaving, LeavingBadge, PlannedShipments, usePlanned } from '../shipping/planned-shipments.tsx';
import { changeWords } from './change-words.ts';
import { type OrderAction, OrderActionDialog } from './order-actions.tsx';
import { exportAddress, orderFilters, questionOf, rareFilters, sortChoices, transferChoices } from './order-filters.ts';
import { SearchByRecipient } from './search-by-recipient.tsx';
import { sentBy } from './sent-by.ts';
import { words } from './words.ts';

const actedOnMax = 100;
/** More slots do not fit on a cart. */
const pickedTogetherMax = 50;

export function Component() {
  const say = useWords(words);
  const mayChange = useMay('staff');
  const filters = useUrlFilters(orderFilters);
  const selection = useSelection();
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const question = questionOf(filters.values);
  const list = useLiveList<typeof orderSearch>({
    path: '/orders/search',
    body: question,
    keyOf: ({ order_id }) => String(order_id),
    topics: ['orders'],
  });
  const planned = usePlanned();
  const leaving = new Set(planned.filter(isLeaving).map(({ order_id }) => order_id));
  const selected = list.rows.filter(({ order_id }) => selection.keys.has(String(order_id)));

  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="orders" />
            {mayChange && <SearchByRecipient />}
            {mayChange && <ExportButton address={exportAddress(question)} />}
          </>
        }
      />
      <PlannedShipments rows={planned.filter(({ is_own }) => is_own)} />
      <FilteredList
        filters={filters}
        rare={rareFilters}
        {...useFilterTexts(accounts, warehouses)}
        placeholders={{ number: say.list.numberPlaceholder }}
        name="orders"
        label={say.title}
        columns={useColumns(warehouses, leaving)}
        list={list}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/orders/${row.order_id}`}
        phoneRow={{ beside: 'status', below: ['units', 'created', 'account', 'shipment'] }}
        {...(mayChange && { selection, bulkActions: <BulkActions orders={selected} onDone={selection.clear} /> })}
        empty={{
          title: say.list.emptyTitle,
          hint: say.list.emptyHint,
          action: (
            <Button component={Link} to="/partners" variant="default">
              {say.list.emptyAction}
            </Button>
          ),
        }}
        noMatches={{ title: say.list.noMatches, hint: say.list.nothingFitsHint }}
      />
    </>
  );
}

function useFilterTexts(accounts: Option[] | undefined, warehouses: Option[] | undefined) {
  const say = useWords(words);
  const sayChange = useWords(changeWords);
  const shared = useWords(sharedWords);
  return {
    labels: {
      number: shared.noun.number,
      status: shared.noun.status,
      accounts: shared.noun.account,
      warehouse: shared.noun.warehouse,
      created: shared.noun.created,
      shipment: say.list.shipment,
      name: say.list.shopOrder,
      sku: say.list.sku,
      channel: shared.noun.channel,
      store: say.list.store,
      transfer: say.list.transfer,
      held: sayChange.onlyHeld,
      updated: shared.noun.updated,
      sort: say.list.sort,
    },
    options: {
      status: orderStatuses.map((value) => ({ value, label: shared.orderStatus[value] })),
      accounts: accounts ?? [],
      warehouse: warehouses ?? [],
      channel: orderChannels.map((value) => ({ value, label: shared.channel[value] })),
      transfer: transferChoices.map((value) => ({ value, label: say.transferStatus[value] })),
      sort: sortChoices.map((value) => ({ value, label: shared.noun[value] })),
    },
  };
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

function useColumns(warehouses: Option[] | undefined, leaving: Set<number>): Column<OrderListRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const hidden = { hiddenAtFirst: true };
  return [
    idColumn('number', shared.noun.number, (row) => row.partner_number, { alwaysShown: true }),
    column('status', shared.noun.status, (row) => <OrderState row={row} leaves={leaving.has(row.order_id)} />),
    column('account', shared.noun.account, (row) => row.account_no),
    idColumn('shopOrder', say.list.shopOrder, (row) => row.name),
    numberColumn('units', say.list.units, (row) => row.units),
    numberColumn('lines', say.list.lines, (row) => row.line_count, hidden),
    idColumn('shipment', say.list.shipment, (row) => row.shipment_no),
    column('warehouse', shared.noun.warehouse, (row) => labelOf(warehouses, row.warehouse_no)),
    timeColumn('created', shared.noun.created, (row) => row.created_at),
    timeColumn('updated', shared.noun.updated, (row) => row.updated_at, hidden),
    { key: 'channel', title: shared.noun.channel, cell: (row) => shared.channel[row.channel], ...hidden },
    { key: 'sentBy', title: say.list.sentBy, cell: (row) => sentBy(row, say.shipMethod), ...hidden },
    { key: 'carrier', title: say.list.carrier, cell: (row) => row.carrier, ...hidden },
    { key: 'store', title: say.list.store, cell: (row) => row.store_no, ...hidden },
    idColumn('ours', say.list.ours, (row) => row.order_no, hidden),
  ];
}

/** The status, with a warning if the warehouse rejected the order: the status alone does not show that. */
function OrderState({ row, leaves }: { row: OrderListRow; leaves: boolean }) {
  const say = useWords(words);
  const sayChange = useWords(changeWords);
  const shared = useWords(sharedWords);
  return (
    <Group gap={8} wrap="wrap">
      <StatusBadge tone={orderTone[row.status]}>{shared.orderStatus[row.status]}</StatusBadge>
      {leaves && <LeavingBadge />}
      {row.transfer_status === 'rejected' && <StatusBadge tone="failed">{say.transferStatus.rejected}</StatusBadge>}
      {row.held && <StatusBadge tone="stopped">{sayChange.held}</StatusBadge>}
    </Group>
  );
}

const bulkSteps = ['pick', 'pack', 'ship'] as const;

/** Staff pick the orders of one warehouse as a batch. */
function PickTogether({ orders }: { orders: OrderListRow[] }) {
  const say = useWords(words);
  const { claim, isRunning } = useClaim();
  const warehouseNos = new Set(orders.map(({ warehouse_no }) => warehouse_no));
  const [warehouse_no] = warehouseNos;
  return (
    <Button
      variant="default"
      disabled={warehouse_no === undefined || warehouseNos.size > 1 || orders.length > pickedTogetherMax}
      loading={isRunning}
      onClick={() => claim({ warehouse_no: warehouse_no!, order_ids: orders.map(({ order_id }) => order_id) })}
    >
      {say.list.pickTogether}
    </Button>
  );
}

function BulkActions({ orders, onDone }: { orders: OrderListRow[]; onDone(): void }) {
  const say = useWords(words);
  const sayChange = useWords(changeWords);
  const [action, setAction] = useState<OrderAction | null>(null);
  const [count, tooMany] = [formatNumber(orders.length), orders.length > actedOnMax];
  const isDisabled = tooMany || orders.length === 0;
  return (
    <>
      <PickTogether orders={orders} />
      <PrintMenu orderIds={orders.map(({ order_id }) => order_id)} disabled={isDisabled} />
      {bulkSteps.map((one) => (
        <Button key={one} variant="default" disabled={isDisabled} onClick={() => setAction(one)}>
          {say.step[one]}
        </Button>
      ))}
      {(['hold', 'release'] as const).map((one) => (
        <Button key={one} variant="default" disabled={isDisabled} onClick={() => setAction(one)}>
          {sayChange[one]}
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
