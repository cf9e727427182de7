import { Type } from 'typebox';
import { HoldReason } from '../main/orders-hold.ts';
import { changeFields } from '../main/orders-update.ts';
import { Clearable } from '../values.ts';
import type { ShipMethods } from '../warehouse/outbound-create.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { OrderFieldName } from './order-change-entry.ts';
import { type NamedOrder, type OrderStatus, orderBatchMax } from './orders.ts';

/** The console has a copy of this list, which compiles only if it is the same. */
export type KnownShipMethods = ShipMethods;

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
