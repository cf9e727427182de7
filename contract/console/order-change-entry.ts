import type { Message } from '../../messages/message.ts';

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
