import { compareLocations } from '../products/product-code.ts';
import { type OrderStatus, orderAfter } from './order.ts';
import type { Recipient } from './recipient.ts';

/** The print-outs of orders. The rules for a list of them are those of each order in it. */
export type PrintDocument =
  | 'packing_slip'
  | 'shipping_label'
  | 'store_label'
  | 'order_codes'
  | 'return_slip'
  | 'pick_list';

/** The facts about an order on print-outs, without its lines and its recipient. */
export interface PrintableOrder {
  account_id: number;
  order_id: number;
  environment: 'uat' | 'production';
  order_no: string;
  partner_number: string;
  name: string | null;
  status: OrderStatus;
  warehouse_no: number;
  warehouse_name: string;
  store_name: string;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  created_at: string;
  held: boolean;
  is_erased: boolean;
}

/** The fields of the recipient that each print-out needs. Nobody else's data leaves the database. */
export const recipientFieldsOf = {
  packing_slip: ['name', 'note'],
  shipping_label: ['name', 'phone', 'zip', 'city', 'address'],
  store_label: ['name', 'phone', 'store_pickup_label_data'],
  order_codes: [],
  return_slip: [],
  pick_list: [],
} as const satisfies Record<PrintDocument, readonly (keyof Recipient)[]>;

export type NotPrinted = 'order_cancelled' | 'on_hold' | 'recipient_erased' | 'no_label_data' | 'nothing_to_pick';

/** The documents that let goods leave their shelf or the warehouse. */
const movesGoods = new Set<PrintDocument>(['pick_list', 'shipping_label', 'store_label']);
const isLabel = new Set<PrintDocument>(['shipping_label', 'store_label']);

/** Why the document cannot be printed for this order; null if it can. */
export function whyNotPrinted(
  document: PrintDocument,
  { status, held, is_erased }: PrintableOrder,
  recipient: Recipient,
): NotPrinted | null {
  if (status === 'cancelled') return 'order_cancelled';
  if (held && movesGoods.has(document)) return 'on_hold';
  if (is_erased && isLabel.has(document)) return 'recipient_erased';
  if (document === 'store_label' && !hasFields(recipient.store_pickup_label_data)) return 'no_label_data';
  if (document === 'pick_list' && (status === 'awaiting_stock' || orderAfter(status, 'pack') === null))
    return 'nothing_to_pick';
  return null;
}

function hasFields(label: Recipient['store_pickup_label_data']): boolean {
  return label !== null && Object.keys(label).length > 0;
}

/** Units of a lot that an order in a slot holds. */
export interface HeldUnits {
  slot: number;
  location: string | null;
  account_no: string;
  sku_id: string;
  name: string;
  batch_id: string;
  expire_date: string | null;
  qty: number;
}

export type PickLine = Omit<HeldUnits, 'slot'> & { slots: { slot: number; qty: number }[] };

/** One line per lot, in walking order. Units of one product at one place: the earliest expiry first. */
export function mergePickLines(held: HeldUnits[]): PickLine[] {
  const keyOf = ({ location, account_no, sku_id, batch_id, expire_date }: HeldUnits) =>
    JSON.stringify([location, account_no, sku_id, batch_id, expire_date]);
  const lines = [...Map.groupBy(held, keyOf).values()].map((own) => {
    const { slot: _, ...line } = own[0]!;
    const bySlot = Map.groupBy(own, ({ slot }) => slot);
    const slots = [...bySlot].map(([slot, those]) => ({ slot, qty: unitsOf(those) }));
    return { ...line, qty: unitsOf(own), slots: slots.toSorted((one, other) => one.slot - other.slot) };
  });
  return lines.toSorted(
    (one, other) =>
      compareLocations(one.location, other.location) ||
      compareTexts(one.sku_id, other.sku_id) ||
      compareTexts(one.account_no, other.account_no) ||
      compareTexts(one.expire_date ?? 'never', other.expire_date ?? 'never') ||
      compareTexts(one.batch_id, other.batch_id),
  );
}

function unitsOf(those: { qty: number }[]): number {
  return those.reduce((sum, { qty }) => sum + qty, 0);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
