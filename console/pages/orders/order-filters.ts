import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { orderSearch } from '../../../contract/console/orders.ts';
import { deliveryMethods, orderCarriers, orderChannels, orderStatuses, storageTypes } from '../../kit/statuses.ts';
import {
  bodyOf,
  choicesFilter,
  datesFilter,
  type FilterValues,
  flagFilter,
  pickFilter,
  picksFilter,
  textFilter,
  warehousesFilter,
} from '../../kit/url-filters.ts';

export const transferChoices = ['sending', 'rejected'] as const;
export const sortChoices = ['created', 'updated'] as const;
export const orderFilters = {
  number: textFilter,
  status: choicesFilter(orderStatuses),
  accounts: picksFilter,
  warehouse: warehousesFilter,
  created: datesFilter,
  shipment: { ...textFilter, field: 'shipment_no' },
  name: textFilter,
  sku: { ...textFilter, field: 'sku_id' },
  carrier: choicesFilter(orderCarriers),
  delivery: choicesFilter(deliveryMethods),
  storage: choicesFilter(storageTypes),
  channel: choicesFilter(orderChannels),
  store: { ...textFilter, field: 'store_no', isNumber: true },
  transfer: { ...pickFilter, field: 'transfer_status', choices: transferChoices },
  reason: { ...pickFilter, field: 'transfer_reason' },
  held: flagFilter,
  updated: datesFilter,
  sort: { ...pickFilter, choices: sortChoices },
  reversed: flagFilter,
} as const;
export const rareFilters = [
  'shipment',
  'name',
  'sku',
  'carrier',
  'delivery',
  'storage',
  'channel',
  'store',
  'transfer',
  'reason',
  'held',
  'updated',
  'sort',
  'reversed',
] as const;

export type OrderQuestion = Omit<BodyOf<typeof orderSearch>, 'cursor' | 'page_size'>;

export function questionOf(values: FilterValues<typeof orderFilters>): OrderQuestion {
  return bodyOf<typeof orderSearch>({ description: orderFilters, values });
}
