import type { OrderStatus } from '../../../contract/console/orders.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { words } from './words.ts';

/** The fields of an order that the dialogs need. */
export interface ActedOnOrder {
  order_id: number;
  partner_number: string;
  account_no: string;
  status: OrderStatus;
  shipment_no: string | null;
}

/** "order A-1", or "12 orders". */
export function useWhat(orders: ActedOnOrder[]): string {
  const say = useWords(words);
  return orders.length === 1 ? say.orderNamed(orders[0]!.partner_number) : say.orders(formatNumber(orders.length));
}

export function nameOf({ order_id, partner_number }: { order_id: number; partner_number: string | null }) {
  return { key: String(order_id), name: partner_number ?? String(order_id) };
}
