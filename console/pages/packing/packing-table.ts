import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { PackingOrder, packingScan } from '../../../contract/console/packing.ts';
import { askRepeatedly } from '../../kit/ask-repeatedly.ts';
import { newUuid } from '../../kit/new-uuid.ts';

/** The scanner's next text is the number of an order, an item of it, or the label of a parcel. */
export type Stage = 'order' | 'items' | 'label';

/** An order that somebody packed without scans needs only its label. */
export function stageOf(order: PackingOrder | null, wanted: Stage | null): Stage {
  if (order === null) return 'order';
  if (wanted !== null) return wanted;
  const isPackedElsewhere = order.status === 'packed' && order.parcels.length === 0;
  return order.is_complete || isPackedElsewhere ? 'label' : 'items';
}

/** Parcels that need a label; without scans the order is one parcel. */
export function parcelNosOf({ parcels }: PackingOrder): number[] {
  return parcels.length === 0 ? [1] : parcels.map(({ parcel_no }) => parcel_no);
}

export function lastParcelOf({ parcels }: PackingOrder): number {
  return Math.max(1, ...parcels.map(({ parcel_no }) => parcel_no));
}

/** The text opens the order, and is not the number on its label. */
export function isNumberOf({ order_no, partner_number, shipment_no }: PackingOrder, text: string): boolean {
  return text === order_no || text === partner_number || (text !== shipment_no && slotText.test(text));
}

/** Slot 3 of pick batch 7 is `7-3`. */
const slotText = /^\d{1,15}-\d{1,4}$/;

export function unitsLeft({ lines }: PackingOrder): number {
  return lines.reduce((sum, { qty, packed }) => sum + Math.max(0, qty - packed), 0);
}

/** The same as in the contract, whose schemas do not travel to browsers. */
export const parcelsMax = 100;

/** A lost response is asked for again with the same id, so that the scan counts once. */
export async function sendScan(body: Omit<BodyOf<typeof packingScan>, 'scan_id'>) {
  return await askRepeatedly<typeof packingScan>('/packing/scan', { ...body, scan_id: newUuid() });
}
