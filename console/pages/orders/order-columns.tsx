import { Button, Group } from '@mantine/core';
import type { OrderListRow, OrderOfRecipient } from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf } from '../../kit/options.ts';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { LeavingBadge } from '../shipping/planned-shipments.tsx';
import { changeWords } from './change-words.ts';
import classes from './orders.module.css';
import { carrierName, sentBy } from './sent-by.ts';
import { words } from './words.ts';

/** A row of the list, or of a search by recipient. */
export type ShownOrder = OrderListRow & Partial<OrderOfRecipient>;

export interface OrderColumnOptions {
  warehouses: Option[] | undefined;
  /** The orders whose shipment can still be undone. */
  leaving: Set<number>;
  rows: ShownOrder[];
  /** null: the operator may not. */
  onResend: ((order: OrderListRow) => void) | null;
}

export function useOrderColumns({ warehouses, leaving, rows, onResend }: OrderColumnOptions): Column<ShownOrder>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const hidden = { hiddenAtFirst: true };
  const newestFirst = (by: string) => ({ sort: { by, first: 'descending' as const } });
  const hasReason = rows.some(({ transfer_reason }) => transfer_reason !== null);
  const hasRecipient = rows.some(({ recipient_name }) => recipient_name !== undefined);
  return [
    idColumn('number', shared.noun.number, (row) => row.partner_number, { alwaysShown: true }),
    column('status', shared.noun.status, (row) => <OrderState row={row} leaves={leaving.has(row.order_id)} />),
    ...(hasReason
      ? [
          column('reason', shared.noun.reason, (row: ShownOrder) =>
            row.transfer_reason === null ? null : (
              <Rejection row={row} reason={row.transfer_reason} onResend={onResend} />
            ),
          ),
        ]
      : []),
    ...(hasRecipient
      ? [
          column('recipient', say.detail.recipient, ({ recipient_name, recipient_phone }: ShownOrder) =>
            [recipient_name, recipient_phone].filter(Boolean).join(' · '),
          ),
        ]
      : []),
    column('account', shared.noun.account, (row) => row.account_no),
    idColumn('shopOrder', say.list.shopOrder, (row) => row.name),
    numberColumn('units', say.list.units, (row) => row.units),
    numberColumn('lines', say.list.lines, (row) => row.line_count, hidden),
    column('sentBy', say.list.sentBy, (row) => sentBy(row, say.shipMethod)),
    idColumn('shipment', say.list.shipment, (row) => row.shipment_no),
    column('warehouse', shared.noun.warehouse, (row) => labelOf(warehouses, row.warehouse_no)),
    timeColumn('created', shared.noun.created, (row) => row.created_at, newestFirst('created')),
    timeColumn('updated', shared.noun.updated, (row) => row.updated_at, { ...hidden, ...newestFirst('updated') }),
    column('channel', shared.noun.channel, (row) => shared.channel[row.channel], hidden),
    column('carrier', say.list.carrier, (row) => carrierName(row.carrier, say.shipMethod), hidden),
    column('store', say.list.store, (row) => row.store_no, hidden),
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

interface RejectionProps extends Pick<OrderColumnOptions, 'onResend'> {
  row: OrderListRow;
  reason: NonNullable<OrderListRow['transfer_reason']>;
}

/** Why the warehouse rejected the order, and a button that sends it again. */
function Rejection({ row, reason, onResend }: RejectionProps) {
  const say = useWords(words);
  return (
    <div className={classes.rejection}>
      <ServerText text={reason} className={classes.rejectionReason} isCut />
      {onResend && row.can.includes('resend') && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={say.resendNamed(row.partner_number)}
          onClick={() => onResend(row)}
        >
          {say.resend}
        </Button>
      )}
    </div>
  );
}
