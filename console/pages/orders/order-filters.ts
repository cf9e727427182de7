import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { orderSearch } from '../../../contract/console/order-search.ts';
import { basePath } from '../../kit/base-path.ts';
import { orderChannels, orderStatuses } from '../../kit/statuses.ts';
import { choicesFilter, type Dates, datesFilter, type FilterValues, pickFilter, picksFilter, textFilter } from '../../kit/url-filters.ts';

export const transferChoices = ['sending', 'rejected'] as const;
export const sortChoices = ['created', 'updated'] as const;
export const orderFilters = {
  number: textFilter,
  status: choicesFilter(orderStatuses),
  accounts: picksFilter,
  warehouse: picksFilter,
  created: datesFilter,
  shipment: textFilter,
  name: textFilter,
  channel: choicesFilter(orderChannels),
  store: textFilter,
  transfer: pickFilter,
  updated: datesFilter,
  sort: pickFilter,
} as const;
export const rareFilters = ['shipment', 'name', 'channel', 'store', 'transfer', 'updated', 'sort'] as const;

export type OrderQuestion = Omit<BodyOf<typeof orderSearch>, 'cursor' | 'page_size'>;

/** Without what is not set, or is no value of its kind: the schema is strict, and addresses are typed by people too. */
export function questionOf(values: FilterValues<typeof orderFilters>): OrderQuestion {
  const { number, status, accounts, warehouse, created, shipment, name, channel, store, transfer, updated, sort } = values;
  const warehouseNos = warehouse.map(Number).filter(isPlaceNumber);
  const [transferStatus] = transferChoices.filter((one) => one === transfer);
  const [sortedBy] = sortChoices.filter((one) => one === sort);
  return {
    ...(number !== '' && { number }),
    ...(status.length > 0 && { status }),
    ...(accounts.length > 0 && { accounts }),
    ...(warehouseNos.length > 0 && { warehouse_no: warehouseNos }),
    ...daysOf('created', created),
    ...(shipment !== '' && { shipment_no: shipment }),
    ...(name !== '' && { name }),
    ...(channel.length > 0 && { channel }),
    ...(isPlaceNumber(Number(store)) && { store_no: Number(store) }),
    ...(transferStatus && { transfer_status: transferStatus }),
    ...daysOf('updated', updated),
    ...(sortedBy && { sort: sortedBy }),
  };
}

function isPlaceNumber(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

function daysOf(name: 'created' | 'updated', { from, to }: Dates) {
  return { ...(from !== null && { [`${name}_from`]: from }), ...(to !== null && { [`${name}_to`]: to }) };
}

/** The address of the same list as a file. */
export function exportAddress(question: OrderQuestion): string {
  const query = new URLSearchParams(Object.entries(question).map(([name, value]) => [name, String(value)]));
  return `${basePath}/api/orders/export?${query}`;
}
