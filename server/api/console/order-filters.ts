import { type OrderFilters, orderChannels, orderStatuses } from '../../../contract/console/order-search.ts';
import { listTransfers } from '../../domain/orders/transfer-queries.ts';
import { findOrdersNamed } from '../../domain/timeline/document-story-queries.ts';
import type { Database } from '../../platform/database.ts';
import type { Condition, Search } from '../../platform/keyset-search.ts';

/** More that are put aside than anybody looks through. */
const transfersMax = 1000;

/** What is looked for, in the domain's words. */
export async function orderQuestion(
  database: Database,
  wanted: OrderFilters,
): Promise<{ filters: Search['filters']; sort: Search['sort'] }> {
  const [named, transferred] = await Promise.all([idsNamed(database, wanted), idsTransferred(database, wanted)]);
  const orderIds = named && transferred ? named.filter((orderId) => transferred.includes(orderId)) : (named ?? transferred);
  return { filters: filtersOf(wanted, orderIds), sort: sortOf(wanted) };
}

/** A number is looked up first, because it may be the partner's or ours. */
async function idsNamed(database: Database, { number }: OrderFilters): Promise<number[] | undefined> {
  if (number === undefined) return undefined;
  const named = await database.read((sql) => findOrdersNamed(sql, number, null));
  return named.map(({ document_id }) => document_id);
}

async function idsTransferred(database: Database, { transfer_status: status }: OrderFilters): Promise<number[] | undefined> {
  if (status === undefined) return undefined;
  const transfers = await database.read((sql) => listTransfers(sql, { warehouseNo: null, status, numbers: null }, transfersMax));
  return transfers.map(({ order_id }) => order_id);
}

function filtersOf(wanted: OrderFilters, orderIds: number[] | undefined): Search['filters'] {
  const { status, channel, warehouse_no, store_no, name, shipment_no } = wanted;
  const filters: Record<string, Condition | undefined> = {
    order_id: orderIds && { anyOf: orderIds },
    status: anyButAll(status, orderStatuses),
    channel: anyButAll(channel, orderChannels),
    warehouse_no: warehouse_no && { anyOf: warehouse_no },
    store_no: store_no === undefined ? undefined : { anyOf: [store_no] },
    name: name === undefined ? undefined : { anyOf: [name] },
    shipment_no: shipment_no === undefined ? undefined : { anyOf: [shipment_no] },
    created_at: daysFrom(wanted.created_from, wanted.created_to),
    updated_at: daysFrom(wanted.updated_from, wanted.updated_to),
  };
  return Object.fromEntries(Object.entries(filters).flatMap(([field, condition]) => (condition ? [[field, condition]] : [])));
}

/** Whoever names all values filters nothing; a search for each of them in each account would take long for it. */
function anyButAll(wanted: string[] | undefined, all: readonly string[]): Condition | undefined {
  return wanted === undefined || new Set(wanted).size === all.length ? undefined : { anyOf: wanted };
}

/** Whole days of Taipei, both included. */
function daysFrom(from: string | undefined, to: string | undefined): Condition | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { gte: `${from}T00:00:00+08:00` }),
    ...(to === undefined ? {} : { lte: `${to}T23:59:59.999999+08:00` }),
  };
}

/** Rows that a range is asked of come in its order: only so are they one stretch of an index. */
function sortOf({ sort, updated_from, updated_to }: OrderFilters): Search['sort'] {
  const byUpdated = sort === 'updated' || (sort === undefined && (updated_from ?? updated_to) !== undefined);
  return { field: byUpdated ? 'updated_at' : 'created_at', descending: true };
}
