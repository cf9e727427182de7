import type { OrderListRow } from '../../../contract/console/orders.ts';
import { readMessage } from '../../../messages/message.ts';
import type { ListedOrder } from '../../domain/orders/order-search-queries.ts';
import { possibleActions } from '../../domain/orders/possible-actions.ts';
import { pick } from '../../platform/pick.ts';
import type { AccountNoOf } from './console-list.ts';

/** A row of the lists of orders, without personal data. */
export function toListedOrder(found: ListedOrder, accountNoOf: AccountNoOf): OrderListRow {
  const isPending = found.status === 'pending_warehouse_transfer';
  return {
    account_no: accountNoOf(found.account_id),
    ...pick(found, 'order_id, order_no, partner_number, name, channel, status, warehouse_no, store_no, logistics_type'),
    ...pick(found, 'express_type, shipment_no, carrier, line_count, units, held, created_at, updated_at'),
    transfer_status: isPending ? found.transfer : null,
    transfer_reason: readMessage(found.transfer_reason),
    can: possibleActions({
      status: found.status,
      environment: found.environment,
      isHeld: found.held,
      transfer: found.transfer,
      isManual: found.is_manual,
      takesChanges: found.takes_changes,
      isInBatch: found.is_in_batch,
    }),
  };
}
