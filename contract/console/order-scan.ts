import { Identifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import type { OrderStep } from './order-advance.ts';
import type { OrderStatus } from './order-search.ts';

/** An order as it is worked on: what to take, from where, and what comes next. */
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
  note: string | null;
  lines: {
    line_no: number;
    sku_id: string;
    name: string;
    storage_type: string;
    qty: number;
    lots: { batch_id: string; expire_date: string | null; qty: number }[];
  }[];
  /** What its state allows. */
  steps: OrderStep[];
}

/** By its number, the partner's or ours, or by the number of its shipment. Several partners may use the same number. */
export const orderScan = consoleCall<
  { kind: 'found'; order: ScannedOrder } | { kind: 'several'; orders: ScannedOrder[] } | { kind: 'not_found' }
>()('/orders/scan', record({ number: Identifier(255) }));
