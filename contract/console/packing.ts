import { Type } from 'typebox';
import { Identifier, qtyMax, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { Nothing, RowId, record, Uuid } from './console-values.ts';
import { type NamedOrder, type OrderOfShipment, type OrderStatus, orderBatchMax } from './orders.ts';

/** Why nobody may pack or ship an order now. */
export const notWorkableReasons = [
  'uat',
  'other_warehouse',
  'held',
  'cancelled',
  'shipped',
  'awaiting_stock',
  'planned',
] as const;
export type NotWorkable = (typeof notWorkableReasons)[number];

export interface PackingLine {
  sku_id: string;
  name: string;
  storage_type: string;
  /** The units that the order holds. */
  qty: number;
  packed: number;
}

/** An order on the packing table. */
export interface PackingOrder {
  order_id: number;
  account_no: string;
  order_no: string;
  partner_number: string;
  name: string | null;
  status: OrderStatus;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  /** `orderViewRecipient` shows the note. */
  has_note: boolean;
  /** null: it can be packed. */
  not_workable: NotWorkable | null;
  lines: PackingLine[];
  /** The parcels that have units. Empty: nobody has scanned an item. */
  parcels: { parcel_no: number; units: { sku_id: string; qty: number }[] }[];
  /** The parcels have exactly the units of the order. */
  is_complete: boolean;
}

/**
 * Finds an order by the partner's number, ours, its shipment number, or the slot of a batch. Of several orders with the
 * same number, one that can be packed is preferred.
 */
export const packingOpen = consoleCall<
  { kind: 'found'; order: PackingOrder } | { kind: 'several'; orders: PackingOrder[] } | { kind: 'not_found' }
>()('/packing/open', record({ number: Identifier(255) }));

export const packingParcelsMax = 100;
const ParcelNo = Type.Integer({ minimum: 1, maximum: packingParcelsMax });

export type PackingScanAnswer = { order: PackingOrder } & (
  | { kind: 'packed'; sku_id: string; qty: number; is_complete: boolean }
  /** No product of the account has the code. */
  | { kind: 'unknown' }
  /** The order does not have the product. */
  | { kind: 'wrong'; sku_id: string }
  /** The scan means `qty` units, but only `left` are missing. */
  | { kind: 'surplus'; sku_id: string; qty: number; left: number }
  | { kind: 'not_workable'; why: NotWorkable }
);

/** Puts units into a parcel. The last unit makes the order packed. A repeat with the same `scan_id` packs nothing. */
export const packingScan = consoleCall<PackingScanAnswer>()(
  '/packing/scan',
  record({
    order_id: RowId,
    scan_id: Uuid,
    parcel_no: ParcelNo,
    /** A barcode of a unit or a carton, or an sku. */
    code: Identifier(255),
    /** How often the code counts. */
    times: Type.Integer({ minimum: 1, maximum: qtyMax / 1_000_000 }),
  }),
);

/** Takes all units out of a parcel, to scan them again. */
export const packingEmpty = consoleCall<
  { order: PackingOrder } & ({ kind: 'emptied' } | { kind: 'not_workable'; why: NotWorkable })
>()('/packing/empty', record({ order_id: RowId, parcel_no: ParcelNo }));

export const shipmentWarningKinds = ['repeated', 'format', 'skipped', 'short'] as const;

/** A reason to ask before an order is shipped. */
export type ShipmentWarning =
  /** `others`: those of warehouses in which the operator works. */
  | { kind: 'repeated'; shipment_no: string; others: OrderOfShipment[] }
  /** The carrier's numbers have so many digits. */
  | { kind: 'format'; shipment_no: string; carrier: string; digits: number }
  /** The order is not packed. */
  | { kind: 'skipped'; status: OrderStatus }
  /** These units are in no parcel, and will not be shipped. */
  | { kind: 'short'; units: number };

export type PackingShipAnswer =
  /** The order leaves after these seconds, unless somebody undoes it. */
  | { kind: 'planned'; undo_seconds: number }
  /** Nothing is planned until all kinds of warnings are in `confirmed`. */
  | { kind: 'confirm'; warnings: ShipmentWarning[] }
  | { kind: 'not_workable'; why: NotWorkable }
  /** Another shipment of the order is planned; undo it first. */
  | { kind: 'other_plan' }
  /** There is not one label for each parcel: another device has changed the parcels. */
  | { kind: 'parcels_changed' }
  /** Two parcels have the same number. */
  | { kind: 'number_twice' };

const Confirmed = Type.Array(Type.Enum([...shipmentWarningKinds]), { maxItems: shipmentWarningKinds.length });

/** Plans the parcels of an order. Nothing is sent before it is due. A repeat finds the plan. */
export const packingShip = consoleCall<PackingShipAnswer>()(
  '/packing/ship',
  record({
    order_id: RowId,
    /** One for each parcel that has units; parcel 1 if no item was scanned. */
    shipments: Type.Array(
      record({ parcel_no: ParcelNo, shipment_no: Identifier(125), carrier: Type.Optional(Title(100)) }),
      { minItems: 1, maxItems: packingParcelsMax },
    ),
    confirmed: Confirmed,
  }),
);

export type OrderShipResult = NamedOrder &
  (
    | PackingShipAnswer
    /** No number was given, and none was announced. */
    | { kind: 'no_shipment_no' }
    | { kind: 'not_found' }
  );

/**
 * Plans a shipment of one parcel for each order. Each order has its own result, in the order given. A request that names
 * an order twice is rejected.
 */
export const orderShip = consoleCall<{ results: OrderShipResult[] }>()(
  '/orders/ship',
  record({
    orders: Type.Array(
      record({
        order_id: RowId,
        /** Default: the number that was announced for the order. */
        shipment_no: Type.Optional(Identifier(125)),
        carrier: Type.Optional(Title(100)),
        confirmed: Confirmed,
      }),
      { minItems: 1, maxItems: orderBatchMax },
    ),
  }),
);

export type PackingUndoResult = NamedOrder &
  ({ kind: 'undone' | 'not_found' } | { kind: 'too_late'; status: OrderStatus });

/** Removes planned shipments, also those that could not be shipped. A repeat finds none. */
export const packingUndo = consoleCall<{ results: PackingUndoResult[] }>()(
  '/packing/undo',
  record({ order_ids: Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true }) }),
);

export interface PlannedShipmentRow {
  order_id: number;
  account_no: string;
  partner_number: string;
  shipment_nos: string[];
  planned_by: string;
  /** Planned by the caller. */
  is_own: boolean;
  /** The seconds until the order leaves; 0: the next run of the job ships it. */
  undo_seconds: number;
  /** Why the order could not be shipped; null: it has not left yet. */
  refusal: string | null;
}

/** Shipments that have not left yet or could not leave, the latest first. */
export const packingPlanned = consoleCall<{ rows: PlannedShipmentRow[] }>()('/packing/planned', Nothing);
