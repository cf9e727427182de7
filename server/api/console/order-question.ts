import type { OrderFilters } from '../../../contract/console/orders.ts';
import { orderChannels, orderStatuses } from '../../../contract/main/orders-search.ts';
import { findOrdersNamed } from '../../domain/orders/order-history-queries.ts';
import { heldStatuses } from '../../domain/orders/order-search-queries.ts';
import { listTransfers } from '../../domain/transfers/transfer-queries.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import type { Condition, Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { sortBy, wholeDays } from './console-list.ts';

/** More rejected orders than a person can look through. */
const transfersMax = 1000;

/** The request as filters and sort of the domain. */
export async function orderQuestion(
  reads: Reader,
  wanted: OrderFilters,
): Promise<{ filters: Search['filters']; sort: Search['sort'] }> {
  const [named, transferred] = await Promise.all([idsNamed(reads, wanted), idsTransferred(reads, wanted)]);
  const orderIds =
    named && transferred ? named.filter((orderId) => transferred.includes(orderId)) : (named ?? transferred);
  return { filters: filtersOf(wanted, orderIds), sort: sortOf(wanted) };
}

/** A number is looked up first, because it may be the partner's or ours. */
async function idsNamed(reads: Reader, { number }: OrderFilters): Promise<number[] | undefined> {
  if (number === undefined) return undefined;
  const named = await reads.read(noAccounts, (sql) => findOrdersNamed(sql, number, null));
  return named.map(({ document_id }) => document_id);
}

async function idsTransferred(reads: Reader, wanted: OrderFilters): Promise<number[] | undefined> {
  const { transfer_reason: reasonKey, transfer_status: status = reasonKey === undefined ? undefined : 'rejected' } =
    wanted;
  if (status === undefined) return undefined;
  const transfers = await reads.read(noAccounts, (sql) =>
    listTransfers(sql, { warehouseNo: null, status, numbers: null, reasonKey }, transfersMax),
  );
  return transfers.map(({ order_id }) => order_id);
}

function filtersOf(wanted: OrderFilters, orderIds: number[] | undefined): Search['filters'] {
  const { channel, warehouse_no, store_no, name, shipment_no, sku_id, held } = wanted;
  const status = held ? (wanted.status ?? [...heldStatuses]) : wanted.status;
  const filters: Record<string, Condition | undefined> = {
    order_id: orderIds && { anyOf: orderIds },
    status: anyButAll(status, orderStatuses),
    channel: anyButAll(channel, orderChannels),
    warehouse_no: warehouse_no && { anyOf: warehouse_no },
    store_no: store_no === undefined ? undefined : { anyOf: [store_no] },
    name: name === undefined ? undefined : { anyOf: [name] },
    shipment_no: shipment_no === undefined ? undefined : { anyOf: [shipment_no] },
    held_at: held ? { gte: '1970-01-01T00:00:00Z' } : undefined,
    sku_id: sku_id === undefined ? undefined : { anyOf: [sku_id] },
    created_at: wholeDays(wanted.created_from, wanted.created_to),
    updated_at: wholeDays(wanted.updated_from, wanted.updated_to),
    logistics_type: wanted.delivery && { anyOf: wanted.delivery },
    carrier: wanted.carrier && { anyOf: wanted.carrier },
    storage_type: wanted.storage && { anyOf: wanted.storage },
  };
  return Object.fromEntries(
    Object.entries(filters).flatMap(([field, condition]) => (condition ? [[field, condition]] : [])),
  );
}

/** All values together filter nothing, and searching for each of them in each account would be slow. */
function anyButAll(wanted: string[] | undefined, all: readonly string[]): Condition | undefined {
  return wanted === undefined || new Set(wanted).size === all.length ? undefined : { anyOf: wanted };
}

/**
 * A range sorts by its own field, because only then are the rows a contiguous part of an index. Orders of a product come
 * in the order of its own index, the newest first.
 */
function sortOf({ sort, updated_from, updated_to, sku_id, reversed }: OrderFilters): Search['sort'] {
  if (sort === undefined && sku_id !== undefined && !reversed) return null;
  const byUpdated = sort === 'updated' || (sort === undefined && (updated_from ?? updated_to) !== undefined);
  return sortBy({ field: byUpdated ? 'updated_at' : 'created_at', descending: true }, reversed);
}
