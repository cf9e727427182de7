import type { ListedOrder } from '../../domain/orders/order-search-queries.ts';
import { pick } from '../../platform/pick.ts';
import type { AccountNoOf } from './console-list.ts';

/** A row of the lists of orders, without personal data. */
export function toListedOrder(found: ListedOrder, accountNoOf: AccountNoOf) {
  return {
    account_no: accountNoOf(found.account_id),
    ...pick(found, 'order_id, order_no, partner_number, name, channel, status, warehouse_no, store_no, logistics_type'),
    ...pick(
      found,
      'express_type, shipment_no, carrier, line_count, units, held, transfer_status, created_at, updated_at',
    ),
  };
}
