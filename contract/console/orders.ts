import { type Static, Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { undeliveredReasons } from '../logistics/callback.ts';
import { orderChannels, orderStatuses } from '../main/orders-search.ts';
import { CalendarDate, Identifier, PlaceNumber, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import {
  countedField,
  type ListPage,
  listFields,
  RowId,
  record,
  reversedField,
  storageTypes,
} from './console-values.ts';
import type { InboundStatus } from './inbound.ts';
import type { OrderChangeEntry } from './order-change-entry.ts';
import type { StockType } from './stock.ts';
import type { NotificationEntry } from './timeline.ts';

export type OrderStatus = (typeof orderStatuses)[number];
export type OrderChannel = (typeof orderChannels)[number];
/** The state of the transfer to the warehouse's own system. */
export type TransferStatus = 'waiting' | 'sending' | 'accepted' | 'rejected';
export const orderSorts = ['created', 'updated'] as const;

/** A row of the list of orders. */
export interface OrderListRow {
  order_id: number;
  account_no: string;
  order_no: string;
  partner_number: string;
  /** The shop's order number; null if none was given. */
  name: string | null;
  channel: OrderChannel;
  status: OrderStatus;
  warehouse_no: number;
  store_no: number;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  line_count: number;
  units: number;
  /** On hold: it is not handed over to its warehouse. */
  held: boolean;
  /** Set while the order is being transferred; null before and after. */
  transfer_status: TransferStatus | null;
  /** Why its warehouse rejected the order; null: it did not. */
  transfer_reason: Message | string | null;
  /** The actions that the order can take as it is now. */
  can: OrderRowAction[];
  created_at: string;
  updated_at: string;
}

/** `pick_together`: staff pick it in a batch. `resend`: it is transferred again, because its warehouse rejected it. */
export const orderRowActions = [
  'pick_together',
  'pick',
  'pack',
  'ship',
  'deliver',
  'arrive',
  'fail',
  'hold',
  'release',
  'resend',
  'cancel',
] as const;
export type OrderRowAction = (typeof orderRowActions)[number];

export const deliveryMethods = ['home', 'csvs'] as const;
/** Carriers of home delivery, then chains of pickup stores. */
export const orderCarriers = ['tcat', 'hct', 'post', 'pcsc', 'family', 'hilife'] as const;

const Many = <Value extends string>(values: readonly Value[]) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { minItems: 1, maxItems: values.length }));
const placesMax = 50;

const ReasonKey = Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 hexadecimal digits' });

/** Days are in Taipei time and inclusive. */
export const orderFilterFields = {
  /** Orders whose transfer is being sent or was rejected; at most the oldest 1,000. */
  transfer_status: Type.Optional(Type.Enum(['sending', 'rejected'])),
  /** Orders that were rejected for this reason, by the key that `orderRejectionReasons` gives it. */
  transfer_reason: Type.Optional(ReasonKey),
  /** Only orders on hold. */
  held: Type.Optional(Type.Boolean()),
  status: Many(orderStatuses),
  channel: Many(orderChannels),
  warehouse_no: Type.Optional(Type.Array(PlaceNumber, { minItems: 1, maxItems: placesMax })),
  store_no: Type.Optional(PlaceNumber),
  /** The partner's number, or ours. */
  number: Type.Optional(Identifier(255)),
  name: Type.Optional(Identifier(255)),
  shipment_no: Type.Optional(Identifier(125)),
  /** A product of the order. Default order: the newest first. */
  sku_id: Type.Optional(Identifier(125)),
  delivery: Many(deliveryMethods),
  /** The carrier or chain that the order names, or that its warehouse reported. */
  carrier: Many(orderCarriers),
  /** A storage type of its products. */
  storage: Many(storageTypes),
  created_from: Type.Optional(CalendarDate),
  created_to: Type.Optional(CalendarDate),
  updated_from: Type.Optional(CalendarDate),
  updated_to: Type.Optional(CalendarDate),
  /** Newest first, by creation or by last change. Default: by creation. */
  sort: Type.Optional(Type.Enum([...orderSorts])),
  ...reversedField,
};

export const OrderFilters = record({ accounts: listFields.accounts, ...orderFilterFields });
export type OrderFilters = Static<typeof OrderFilters>;

export const orderSearch = consoleCall<ListPage<OrderListRow>>()(
  '/orders/search',
  record({ ...listFields, ...countedField, ...orderFilterFields }),
);

/** The reason why a lot was used: the lots that expire first, then the oldest. */
export type TakenWhy =
  /** The order names this batch. */
  | 'named_batch'
  /** No sellable lot expires earlier. */
  | 'expires_first'
  /** The lots that expire earlier did not have enough units. */
  | 'expires_next'
  /** The lot does not expire and is the oldest. */
  | 'oldest'
  | 'next_oldest';

export interface LineLot {
  lot_id: number;
  batch_id: string;
  expire_date: string | null;
  qty: number;
  why: TakenWhy;
}

export interface OrderLine {
  line_no: number;
  sku_id: string;
  name: string;
  storage_type: string;
  qty: number;
  /** The only batch that the line may be filled from; null: any. */
  batch_id: string | null;
  combo_sku: string | null;
  identifier: string | null;
  price: string | null;
  /** The units allocated to the line. */
  lots: LineLot[];
}

export type PassedOverWhy = 'not_good' | 'expires_too_soon' | 'nothing_free' | 'another_batch' | 'not_needed';

export interface PassedOverLot {
  lot_id: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  on_hand: number;
  free: number;
  why: PassedOverWhy;
}

/** The lots that were passed over, and the shortages of an order that waits for stock. */
export interface OrderAllocation {
  /** then: the stock at the time of allocation, reconstructed from the movements. now: the current stock. */
  as_of: 'then' | 'now';
  /** The time of allocation; null if nothing is allocated. */
  at: string | null;
  /** The first expiry date that may be sold by today's rule; null: any date. */
  sellable_from: string | null;
  passed_over: PassedOverLot[];
  has_more: boolean;
  /** The missing units of an order that waits for stock. */
  shortages: { sku_id: string; available: number; requested: number }[];
}

export interface OrderNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

export type OrderTimelineEntry =
  | {
      kind: 'state';
      at: string;
      event: string;
      from: OrderStatus | null;
      to: OrderStatus;
      actor: string | null;
      trace_id: string | null;
      /** The endpoint whose request caused it; null if there was none or it is no longer known. */
      call: string | null;
    }
  | NotificationEntry
  | {
      kind: 'transfer';
      at: string;
      status: TransferStatus;
      attempts: number;
      reason: Message | string | null;
      note: string | null;
    }
  | { kind: 'note'; at: string; actor: string; text: string }
  | OrderChangeEntry;

export interface OrderRecipient {
  country: string | null;
  name: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  zip: string | null;
  customer_name: string | null;
  note: string | null;
}

export interface OrderTransfer {
  transfer_id: string;
  status: TransferStatus;
  attempts: number;
  reason: Message | string | null;
  note: string | null;
  updated_at: string;
}

export type UndeliveredReason = (typeof undeliveredReasons)[number];

export interface OrderParcel {
  shipment_no: string;
  carrier: string | null;
  shipped_at: string;
  items: { sku_id: string; qty: number; batch_id: string; expire_date: string | null }[];
}

export interface OrderDetail {
  order_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  channel: OrderChannel;
  status: OrderStatus;
  partner_number: string;
  order_no: string;
  name: string | null;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  /** null: unless the order is `undelivered`. */
  undelivered_reason: UndeliveredReason | null;
  /** The parcels that have left, in the order reported. */
  parcels: OrderParcel[];
  /** Units that were ordered but will not be shipped. */
  short: { sku_id: string; qty: number }[];
  delivery_charge: string | null;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  trace_id: string | null;
  /** Masked; `orderViewRecipient` shows it. */
  recipient: OrderRecipient;
  /** The partner sent something about a person, and it is not erased. */
  has_recipient: boolean;
  /** null: not erased. */
  recipient_erased_at: string | null;
  /** The fields that the partner sent, with masked values; null if there were none. */
  store_pickup_label_data: Record<string, unknown> | null;
  lines: OrderLine[];
  /** The units locked in or shipped from each lot. */
  lots: {
    lot_id: number;
    sku_id: string;
    batch_id: string;
    expire_date: string | null;
    taken: number;
    locked: number;
    shipped: number;
  }[];
  allocation: OrderAllocation;
  transfer: OrderTransfer | null;
  /** The returns of the order, the oldest first; only the latest 100. */
  returns: { inbound_id: number; document_no: string; status: InboundStatus }[];
  held: boolean;
  /** Oldest first. */
  timeline: OrderTimelineEntry[];
  has_more_timeline: boolean;
  /** The actions that the order's status allows. They may still fail if somebody else changes it meanwhile. */
  can: { cancel: boolean; change: boolean; retry_transfer: boolean; forget: boolean; steps: OrderStep[] };
}

export const orderDetail = consoleCall<OrderDetail>()('/orders/detail', record({ order_id: RowId }));

/** The recipient as the partner sent it. */
export interface ViewedRecipient {
  kind: 'viewed';
  recipient: OrderRecipient;
  store_pickup_label_data: Record<string, unknown> | null;
  /** Changes of the order with their values unmasked, oldest first. */
  changes: OrderChangeEntry[];
}

/** How often an operator may look at recipients. A person who works with single orders does not notice it. */
export const recipientViewsPerHour = 300;

/** Shows the recipient of an order. Every call is in the audit log. */
export const orderViewRecipient = consoleCall<ViewedRecipient>()('/orders/view-recipient', record({ order_id: RowId }));

/** A phone number is compared by its digits, all of them or the last four; a name by its beginning. */
export const recipientSearchFields = ['phone', 'name'] as const;

/** An order that was found by its recipient, who is masked; `orderViewRecipient` shows them. */
export interface OrderOfRecipient extends OrderListRow {
  recipient_name: string | null;
  recipient_phone: string | null;
}

/** Finds the orders of a person among those of the other filters; erased recipients are never found. Every call is in the audit log, without the text. */
export const orderSearchByRecipient = consoleCall<ListPage<OrderOfRecipient>>()(
  '/orders/search-by-recipient',
  record({ ...listFields, ...orderFilterFields, by: Type.Enum([...recipientSearchFields]), text: Title(255) }),
);

export type OrderForgotten =
  | { kind: 'erased' }
  /** It was erased before. */
  | { kind: 'already'; erased_at: string }
  /** The order is still on its way. */
  | { kind: 'not_ended'; status: OrderStatus }
  /** Its partner has not received these callbacks yet. */
  | { kind: 'callbacks_pending'; count: number };

/** Erases the recipient of an order that has ended, and everything else about the person. It cannot be undone. */
export const orderForget = consoleCall<OrderForgotten>()('/orders/forget', record({ order_id: RowId }));

export const orderBatchMax = 100;

/** The order of a result. The numbers are null if there is no such order. */
export interface NamedOrder {
  order_id: number;
  account_no: string | null;
  order_no: string | null;
  partner_number: string | null;
}

export const orderSteps = ['pick', 'pack', 'ship', 'deliver', 'arrive', 'fail'] as const;
export type OrderStep = (typeof orderSteps)[number];
/** `orderShip` ships, because a shipment can be undone for some seconds. */
export const advanceSteps = ['pick', 'pack', 'deliver', 'arrive', 'fail'] as const satisfies OrderStep[];
export type AdvanceStep = (typeof advanceSteps)[number];

export type OrderAdvanceResult = NamedOrder &
  (
    | { kind: 'advanced'; status: OrderStatus }
    /** The order had this status before. */
    | { kind: 'already'; status: OrderStatus }
    | { kind: 'not_found' }
    /** Orders of a UAT account never reach a warehouse. */
    | { kind: 'uat' }
    | { kind: 'out_of_order'; status: OrderStatus }
    /** The order was shipped with another number, which is kept. */
    | { kind: 'other_shipment_no' }
    /** An order that was not delivered needs a reason. */
    | { kind: 'no_reason' }
    /** It was reported with another reason, which is kept. */
    | { kind: 'other_reason' }
  );

/** Another order with the same shipment number. */
export interface OrderOfShipment {
  order_id: number;
  account_no: string;
  partner_number: string;
  status: OrderStatus;
}

const Advanced = record({
  order_id: RowId,
  shipment_no: Type.Optional(Identifier(125)),
  carrier: Type.Optional(Title(100)),
});

/** Each order has its own result, in the order given. A request that names an order twice is rejected. */
export const orderAdvance = consoleCall<{ results: OrderAdvanceResult[] }>()(
  '/orders/advance',
  record({
    step: Type.Enum([...advanceSteps]),
    /** Required with `fail`, refused with other steps. */
    reason: Type.Optional(Type.Enum([...undeliveredReasons])),
    orders: Type.Array(Advanced, { minItems: 1, maxItems: orderBatchMax }),
  }),
);

export type OrderCancelResult = NamedOrder &
  (
    | { kind: 'cancelled' | 'not_found' }
    /** With pending_warehouse_transfer: the transfer is in progress, and the warehouse may already have the order. */
    | { kind: 'too_late'; status: OrderStatus }
  );

/** Each order has its own result, in the order given. */
export const orderCancel = consoleCall<{ results: OrderCancelResult[] }>()(
  '/orders/cancel',
  record({ order_ids: Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true }) }),
);

export type TransferRetryResult = NamedOrder & { kind: 'waiting' | 'not_rejected' | 'not_found' };

/** Transfers rejected orders again, with the next wave. Each order has its own result, in the order given. */
export const orderTransferRetry = consoleCall<{ results: TransferRetryResult[] }>()(
  '/orders/transfer-retry',
  record({ order_ids: Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true }) }),
);

/** A reason for which warehouses rejected orders that are still pending. */
export interface RejectionReason {
  /** A short name of the reason, for the filter of the list. */
  key: string;
  reason: Message | string | null;
  count: number;
}

/** The most frequent reason first. At most 1,000 rejected orders of each account are counted. */
export const orderRejectionReasons = consoleCall<{ reasons: RejectionReason[] }>()(
  '/orders/rejection-reasons',
  record({}),
);

/** The most orders that one request transfers again. */
export const resentMax = 1000;

/** Transfers the orders that were rejected for a reason again, with the next wave: at most the oldest 1,000. */
export const orderResendReason = consoleCall<{ resent: number; is_more: boolean }>()(
  '/orders/resend-reason',
  record({ transfer_reason: ReasonKey }),
);

/** An order in the queue for stock. */
export interface QueuedOrder {
  order_id: number;
  partner_number: string;
  created_at: string;
  /** Its units of the same products. */
  units: number;
}

/** Counting stops here: one more means any larger number. */
export const queueCountMax = 1000;

export interface AwaitedStock {
  products: {
    product_id: number;
    sku_id: string;
    product_name: string;
    ordered: number;
    /** The units that the order could get if no older order waited. */
    available: number;
    missing: number;
    /** The units that older orders wait for; they come first. */
    wanted_before: number;
  }[];
  /** Open inbound documents that bring these products, the earliest arrival first. */
  inbounds: {
    inbound_id: number;
    document_no: string;
    partner_number: string;
    status: InboundStatus;
    /** null: the partner did not say. */
    estimated_arrival_at: string | null;
    sku_id: string;
    /** Announced and not arrived. */
    units: number;
  }[];
  has_more_inbounds: boolean;
  /** The place of the order in the queue, from 1 on, up to `queueCountMax + 1`. */
  place: number;
  /** Younger orders for the same products, up to `queueCountMax + 1`. */
  behind_count: number;
  /** The first orders before and after it, the oldest first. */
  ahead: QueuedOrder[];
  behind: QueuedOrder[];
}

export interface OrderNextSteps {
  /** null: the order does not wait for stock. */
  awaited: AwaitedStock | null;
  /** The reason for the rejection, with the number of orders that have it; null: the order is not rejected. */
  rejection: RejectionReason | null;
}

/** The reasons why an order does not proceed, and what helps. */
export const orderNextSteps = consoleCall<OrderNextSteps>()('/orders/next-steps', record({ order_id: RowId }));

export const orderNoteLengthMax = 2000;

export const orderNoteAdd = consoleCall<{ kind: 'added'; note: OrderNote } | { kind: 'too_many'; max: number }>()(
  '/orders/note-add',
  record({
    order_id: RowId,
    text: Type.String({
      pattern: `^(?=[^]*\\S)(?:[^\\p{Cc}]|[\\t\\r\\n]){1,${orderNoteLengthMax}}$`,
      description: `1-${orderNoteLengthMax} characters, not blank, without control characters other than line breaks and tabs`,
    }),
  }),
);

/** An order for picking and packing: its lines with their lots, and the possible next steps. */
export interface ScannedOrder {
  order_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  order_no: string;
  partner_number: string;
  name: string | null;
  status: OrderStatus;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  /** Masked; `orderViewRecipient` shows it. */
  note: string | null;
  lines: {
    line_no: number;
    sku_id: string;
    name: string;
    storage_type: string;
    qty: number;
    lots: { batch_id: string; expire_date: string | null; qty: number }[];
  }[];
  /** The steps that the order's status allows. */
  steps: OrderStep[];
}

/** Finds an order by the partner's number, ours, or the shipment number. Several partners may use the same number. */
export const orderScan = consoleCall<
  { kind: 'found'; order: ScannedOrder } | { kind: 'several'; orders: ScannedOrder[] } | { kind: 'not_found' }
>()('/orders/scan', record({ number: Identifier(255) }));
