import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OrderListRow, orderSearch } from '../../../contract/console/orders.ts';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSelection } from '../../kit/row-keys.ts';
import { SavedViews } from '../../kit/saved-views.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { deliveryMethods, orderCarriers, orderChannels, orderStatuses, storageTypes } from '../../kit/statuses.ts';
import { useUrlFilters } from '../../kit/url-filters.ts';
import { type LiveList, useLiveList } from '../../kit/use-live-list.ts';
import { words as kitWords } from '../../kit/words.ts';
import { ImportLink } from '../import/import-link.tsx';
import { isLeaving, PlannedShipments, usePlanned } from '../shipping/planned-shipments.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { changeWords } from './change-words.ts';
import { nextStepWords } from './next-step-words.ts';
import { OrderActionDialog } from './order-actions.tsx';
import { type ShownOrder, useOrderColumns } from './order-columns.tsx';
import { orderFilters, questionOf, rareFilters, sortChoices, transferChoices } from './order-filters.ts';
import { useReasonOptions } from './reason-options.ts';
import { RecipientField, useRecipientFilter } from './recipient-filter.tsx';
import { words } from './words.ts';

const pageActions = (
  <>
    <SavedViews page="orders" />
    <ImportLink kind="orders" />
  </>
);

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
    counted: true,
  });
  const recipient = useRecipientFilter(question);
  const shown: LiveList<ShownOrder> = recipient.list ?? list;
  const mayResend = useMay('admin');
  const [resent, setResent] = useState<OrderListRow | null>(null);
  const planned = usePlanned();
  const leaving = new Set(planned.filter(isLeaving).map(({ order_id }) => order_id));
  const selected = shown.rows.filter(({ order_id }) => selection.keys.has(String(order_id)));

  return (
    <>
      <PageHeader title={say.title} actions={pageActions} />
      <PlannedShipments rows={planned.filter(({ is_own }) => is_own)} />
      <FilteredList
        filters={filters}
        rare={rareFilters}
        {...useFilterTexts(accounts, warehouses, useReasonOptions(filters.values))}
        placeholders={{ number: say.list.numberPlaceholder }}
        name="orders"
        label={say.title}
        tabs="status"
        {...(mayChange && { trail: <RecipientField filter={recipient} /> })}
        columns={useOrderColumns({ warehouses, leaving, rows: shown.rows, onResend: mayResend ? setResent : null })}
        list={shown}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/orders/${row.order_id}`}
        phoneRow={{ beside: 'status', below: ['reason', 'recipient', 'units', 'created', 'account', 'shipment'] }}
        {...(mayChange && { selection, bulkActions: <BulkActions orders={selected} onDone={selection.clear} /> })}
        {...useEmptyTexts(recipient.list !== null)}
      />
      <OrderActionDialog
        action={resent && 'resend'}
        orders={resent ? [resent] : []}
        onClose={() => setResent(null)}
        onDone={() => {}}
      />
    </>
  );
}

function useEmptyTexts(isByRecipient: boolean) {
  const say = useWords(words);
  return {
    empty: {
      title: say.list.emptyTitle,
      hint: say.list.emptyHint,
      action: (
        <Button component={Link} to="/partners" variant="default">
          {say.list.emptyAction}
        </Button>
      ),
    },
    noMatches: {
      title: say.list.noMatches,
      hint: isByRecipient ? say.byRecipient.noneHint : say.list.nothingFitsHint,
    },
  };
}

function useFilterTexts(accounts: Option[] | undefined, warehouses: Option[] | undefined, reasons: Option[]) {
  const say = useWords(words);
  const sayChange = useWords(changeWords);
  const sayNext = useWords(nextStepWords);
  const shared = useWords(sharedWords);
  const sayKit = useWords(kitWords);
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
      carrier: say.list.carrier,
      delivery: say.list.sentBy,
      storage: shared.noun.storage,
      channel: shared.noun.channel,
      store: say.list.store,
      transfer: say.list.transfer,
      reason: sayNext.reasonFilter,
      held: sayChange.onlyHeld,
      updated: shared.noun.updated,
      sort: say.list.sort,
      reversed: sayKit.reversed,
    },
    options: {
      status: orderStatuses.map((value) => ({ value, label: shared.orderStatus[value] })),
      accounts: accounts ?? [],
      warehouse: warehouses ?? [],
      carrier: orderCarriers.map((value) => ({ value, label: say.shipMethod[value] })),
      delivery: deliveryMethods.map((value) => ({ value, label: say.shipMethod[value] })),
      storage: storageTypes.map((value) => ({ value, label: shared.storageType[value] })),
      channel: orderChannels.map((value) => ({ value, label: shared.channel[value] })),
      transfer: transferChoices.map((value) => ({ value, label: say.transferStatus[value] })),
      reason: reasons,
      sort: sortChoices.map((value) => ({ value, label: shared.noun[value] })),
    },
  };
}
