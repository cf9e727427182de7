import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { OrderStatus } from './order-search.ts';

export const orderBatchMax = 100;

/** Which order a result is about; the numbers are null where there is no such order. */
export interface NamedOrder {
  order_id: number;
  account_no: string | null;
  order_no: string | null;
  partner_number: string | null;
}

export type OrderCancelResult = NamedOrder &
  (
    | { kind: 'cancelled' | 'not_found' }
    /** In pending_warehouse_transfer: it is being sent, and the warehouse may have it already. */
    | { kind: 'too_late'; status: OrderStatus }
  );

/** Each order has its own result, in the order given. */
export const orderCancel = consoleCall<{ results: OrderCancelResult[] }>()(
  '/orders/cancel',
  record({ order_ids: Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true }) }),
);
