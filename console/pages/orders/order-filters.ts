import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { orderSearch } from '../../../contract/console/orders.ts';
import { basePath } from '../../kit/base-path.ts';
import { orderChannels, orderStatuses } from '../../kit/statuses.ts';
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
  channel: choicesFilter(orderChannels),
  store: { ...textFilter, field: 'store_no', isNumber: true },
  transfer: { ...pickFilter, field: 'transfer_status', choices: transferChoices },
  held: flagFilter,
  updated: datesFilter,
  sort: { ...pickFilter, choices: sortChoices },
} as const;
export const rareFilters = [
  'shipment',
  'name',
  'sku',
  'channel',
  'store',
  'transfer',
  'held',
  'updated',
  'sort',
] as const;

export type OrderQuestion = Omit<BodyOf<typeof orderSearch>, 'cursor' | 'page_size'>;

export function questionOf(values: FilterValues<typeof orderFilters>): OrderQuestion {
  return bodyOf<typeof orderSearch>({ description: orderFilters, values });
}

/** The URL that exports the same list as a file. */
export function exportAddress(question: OrderQuestion): string {
  const query = new URLSearchParams(Object.entries(question).map(([name, value]) => [name, String(value)]));
  return `${basePath}/api/orders/export?${query}`;
}
