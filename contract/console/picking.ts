import { Type } from 'typebox';
import { Identifier, PlaceNumber } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, Nothing, RowId, record, Uuid } from './console-values.ts';
import type { OrderStatus } from './orders.ts';

/** Waiting orders with the same carrier and temperature. */
export interface WaitingGroup {
  /** null: the orders name no carrier. */
  express_type: string | null;
  /** The storage type of the products; `mixed` if an order has several. */
  temperature: string;
  waiting: number;
  oldest_at: string;
}

/** A warehouse in which staff work with the console, and the orders that nobody has claimed. */
export interface PickingWarehouse {
  warehouse_no: number;
  name: string;
  waiting: number;
  /** null: no order waits. */
  oldest_at: string | null;
  groups: WaitingGroup[];
}

export interface OpenBatch {
  batch_id: number;
  warehouse_no: number;
  created_by: string;
  created_at: string;
  orders: number;
  units: number;
  /** Units that were found or are missing. */
  done: number;
}

export const pickingQueue = consoleCall<{ warehouses: PickingWarehouse[]; batches: OpenBatch[] }>()(
  '/picking/queue',
  Nothing,
);

export const claimedMax = 50;
export const claimedDefault = 20;

/** A repeat with the same `claim_id` returns the batch of the first. */
export const pickingClaim = consoleCall<
  | {
      kind: 'claimed';
      batch_id: number;
      orders: number;
      /** The chosen orders that do not wait for picking in this warehouse. */
      left_out: number[];
    }
  /** No order waits, or others have claimed them. */
  | { kind: 'nothing' }
  /** The warehouse has a system that picks. */
  | { kind: 'not_manual' }
>()(
  '/picking/claim',
  record({
    claim_id: Uuid,
    warehouse_no: PlaceNumber,
    /** Default: 20. The oldest orders come first. */
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: claimedMax })),
    /** Empty: orders that name no carrier. */
    express_type: Type.Optional(Type.String({ maxLength: 50 })),
    temperature: Type.Optional(Identifier(125)),
    order_ids: Type.Optional(Type.Array(RowId, { minItems: 1, maxItems: claimedMax })),
  }),
);

export const pickStates = ['open', 'picked', 'left'] as const;
export type PickState = (typeof pickStates)[number];
export const leftReasons = ['cancelled', 'held', 'short', 'given_back', 'gone'] as const;
export type LeftReason = (typeof leftReasons)[number];

export interface PickOrder {
  order_id: number;
  account_no: string;
  partner_number: string;
  slot: number;
  status: OrderStatus;
  express_type: string | null;
  state: PickState;
  /** Why the order is no longer part of the batch. */
  reason: LeftReason | null;
  units: number;
  picked: number;
  short: number;
}

export interface PickSlot {
  slot: number;
  qty: number;
  picked: number;
  short: number;
}

/** One stop on the walk: the units of a lot for all orders of the batch. */
export interface PickLine {
  account_no: string;
  lot_id: number;
  sku_id: string;
  name: string;
  storage_type: string;
  /** Empty: no batch. */
  batch: string;
  expire_date: string | null;
  /** null: nobody has entered a location. */
  location: string | null;
  slots: PickSlot[];
}

export interface PickBatch {
  batch_id: number;
  warehouse_no: number;
  created_by: string;
  created_at: string;
  closed_at: string | null;
  orders: PickOrder[];
  /** In walking order, without the orders that have left the batch. */
  lines: PickLine[];
}

export const pickingBatch = consoleCall<PickBatch>()('/picking/batch', record({ batch_id: RowId }));

const lineFields = { account_no: AccountNo, lot_id: RowId };
const Line = record(lineFields);
export const timesMax = 999;

export interface PutUnits {
  slot: number;
  units: number;
}

/** A scan, or units of a line without a scan. A repeat with the same `scan_id` changes nothing. */
export const pickingConfirm = consoleCall<
  | { kind: 'confirmed'; line: PickLineKey; sku_id: string; units: number; put: PutUnits[]; remaining: number }
  | { kind: 'closed' }
  /** No product has this code. */
  | { kind: 'unknown_code' }
  /** The batch does not need the product, or no longer. */
  | { kind: 'not_on_list'; sku_id: string | null }
  /** More units than the batch needs. */
  | { kind: 'surplus'; sku_id: string; units: number; remaining: number }
  /** Products of several accounts have this code: choose the line first. */
  | { kind: 'several_accounts' }
>()(
  '/picking/confirm',
  record({
    batch_id: RowId,
    scan_id: Uuid,
    /** A sku, EAN or carton code. Without it, `line` is needed. */
    code: Type.Optional(Identifier(200)),
    /** The line that staff work on. A scan may be of another line. */
    line: Type.Optional(Line),
    /** How often the code counts, or the number of units. Default: 1. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: timesMax })),
  }),
);
export interface PickLineKey {
  account_no: string;
  lot_id: number;
}

export const shortReasons = ['not_found', 'damaged', 'expired', 'other'] as const;
export const shortRemedies = ['hold', 'ship_short'] as const;

/** All units of a line that are still to be found are missing. A repeat with the same `scan_id` changes nothing. */
export const pickingShort = consoleCall<
  | {
      kind: 'short';
      sku_id: string;
      /** `not_held`: the order has left the batch, but its state does not allow a hold. */
      orders: (PutUnits & { partner_number: string; outcome: 'held' | 'not_held' | 'ship_short' })[];
    }
  | { kind: 'closed' }
  | { kind: 'not_on_list' }
  /** Somebody has found the units meanwhile. */
  | { kind: 'nothing_missing' }
>()(
  '/picking/short',
  record({
    batch_id: RowId,
    scan_id: Uuid,
    ...lineFields,
    reason: Type.Enum([...shortReasons]),
    /** Orders that lack units are put on hold, or shipped without them. */
    remedy: Type.Enum([...shortRemedies]),
  }),
);

export const pickingFinish = consoleCall<
  | { kind: 'finished'; picked: number; left: number }
  /** Units of so many orders are still to be found. */
  | { kind: 'incomplete'; orders: number }
>()(
  '/picking/finish',
  record({
    batch_id: RowId,
    /** Orders that are not complete go back to the queue. */
    give_back: Type.Optional(Type.Boolean()),
  }),
);
