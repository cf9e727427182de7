import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { HoldReason } from '../main/orders-hold.ts';
import { changeFields } from '../main/orders-update.ts';
import { Clearable } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import { type NamedOrder, type OrderStatus, orderBatchMax } from './orders.ts';

export type OrderChangeKind = 'update' | 'hold' | 'release';
/** `requested`: the system of the warehouse has not answered yet. `refused`: it refused, and the order is as before. */
export type OrderChangeState = 'made' | 'requested' | 'refused';
export type OrderFieldName =
  | 'country'
  | 'name'
  | 'phone'
  | 'address'
  | 'city'
  | 'zip'
  | 'logistics_type'
  | 'express_type'
  | 'note'
  | 'store_pickup_label_data';

/** A field before and after a change, as text. null: it had no value, or the values are erased. */
export interface ChangedField {
  field: OrderFieldName;
  old: string | null;
  new: string | null;
}

export interface OrderChangeEntry {
  kind: 'change';
  at: string;
  change: OrderChangeKind;
  state: OrderChangeState;
  actor: string;
  trace_id: string | null;
  fields: ChangedField[];
  /** The values were erased together with the recipient. */
  is_erased: boolean;
  reason: string | null;
  /** Why the warehouse refused, or why it could not be asked. */
  answer: Message | string | null;
}

export type OrderChangeResult = NamedOrder &
  (
    | { kind: 'changed' | 'requested' | 'not_found' }
    /** With pending_warehouse_transfer: the transfer is in progress. */
    | { kind: 'too_late'; status: OrderStatus }
    /** Orders of this channel do not have these fields. */
    | { kind: 'not_applicable'; fields: OrderFieldName[] }
    | { kind: 'unknown_ship_method' }
    | { kind: 'too_many'; max: number }
  );

const order_ids = Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true });

/** Each order has its own result, in the order given. */
export const orderHold = consoleCall<{ results: OrderChangeResult[] }>()(
  '/orders/hold',
  record({ order_ids, reason: Clearable(HoldReason) }),
);

export const orderRelease = consoleCall<{ results: OrderChangeResult[] }>()('/orders/release', record({ order_ids }));

/** Changes the given fields; those that are absent or empty stay as they are. */
export const orderUpdate = consoleCall<OrderChangeResult>()(
  '/orders/update',
  record({ order_id: RowId, ...changeFields }),
);
