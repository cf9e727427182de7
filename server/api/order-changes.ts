import type { changeFields } from '../../contract/main/orders-update.ts';
import { errorMessage } from '../../messages/errors.ts';
import type { Message } from '../../messages/message.ts';
import type { WrongPart } from '../domain/orders/order.ts';
import type { OrderFieldName, OrderFields } from '../domain/orders/order-change.ts';

type WireName = keyof typeof changeFields;

/** The names of the fields in the main API. */
export const wireNameOf: Record<OrderFieldName, WireName> = {
  country: 'consignee_country',
  name: 'consignee_name',
  phone: 'consignee_phone',
  address: 'consignee_address',
  city: 'consignee_city',
  zip: 'consignee_zip',
  logistics_type: 'logistics_type',
  express_type: 'express_type',
  note: 'note',
  store_pickup_label_data: 'store_pickup_label_data',
};

export const fieldOfPart = { logisticsType: 'logistics_type', expressType: 'express_type' } as const;

/** The allowed values are those of the first wrong field. */
export function shipMethodMessage([wrong]: WrongPart[]): Message {
  return errorMessage('ship_method_part', { values: wrong!.allowed.join(', ') });
}

/** The given fields; a field that is absent or null stays as it is. */
export function fieldsGiven(given: Partial<Record<WireName, unknown>>): Partial<OrderFields> {
  const fields = Object.entries(wireNameOf) as [OrderFieldName, WireName][];
  return Object.fromEntries(
    fields.flatMap(([field, wireName]) => {
      const value = given[wireName] ?? null;
      return value === null || value === '' ? [] : [[field, value]];
    }),
  );
}

/** Values by the names of the main API. */
export function toWireValues(values: Partial<OrderFields> | null): Record<string, unknown> | null {
  if (values === null) return null;
  const fields = Object.entries(values) as [OrderFieldName, unknown][];
  return Object.fromEntries(fields.map(([field, value]) => [wireNameOf[field], value]));
}
