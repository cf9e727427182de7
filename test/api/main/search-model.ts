import assert from 'node:assert/strict';
import type { SearchList } from '../../../contract/main/search-list.ts';
import { makeChecker } from '../../../server/platform/json/schema.ts';
import {
  type Filters,
  type ListName,
  listNames,
  lists,
  madeOnly,
  type RandomSearch,
  type Row,
  taipei,
  utc,
} from '../../support/main.ts';
import type { Sample } from '../../support/search-sample.ts';

const noInboundItem = { name: null, storage_type: null, price: null, identifier: null };
const noOrderItem = { name: null, storage_type: null, price: null, batch: null, identifier: null, combo_sku: null };

/** A row as the list must show it, and its order among rows with equal sort values. */
export interface Modelled {
  row: Row;
  /** The values that a sort compares, where the row shows others. */
  keys: Row;
  ties: (string | number)[];
}

type LotRow = Row &
  Record<'warehouse_no' | 'on_hand' | 'locked' | 'lot_id', number> &
  Record<'sku_id' | 'expire_date', string>;

/** The differences of a document of which nothing has arrived. */
function missing(announced: [skuId: string, qty: number][]) {
  const sums = new Map<string, number>();
  for (const [skuId, qty] of announced) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
  return [...sums].map(([sku_id, announced]) => ({ sku_id, announced, received: 0 }));
}

/** The order that a return belongs to: it names its id, or the number of an order that is not of the webhook. */
function returnedOrder(sample: Sample, { original_order_id: id, original_order_number: number }: Row) {
  return sample.orders.find((order) =>
    id === null ? order.channel !== 'logistics' && order.partner_number === number : order.order_id === id,
  );
}

/** Some columns of a row, under the same names. */
function only(row: Row, ...names: string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** The fields that the lists of orders and inbounds have in common. */
const documentFields = ['status', 'channel', 'warehouse_no', 'store_no', 'created_at', 'updated_at'];
const mayBeHeld = ['awaiting_stock', 'pending_warehouse_transfer', 'in_warehouse'];
const timeFields = ['created_at', 'updated_at', 'held_at'];
const timelineOf = (row: Row) => madeOnly({ status: row.status, created_at: row.created_at });

function callbacksOf(sample: Sample): Modelled[] {
  return sample.callback.map((callback) => ({
    row: {
      ...only(callback, 'event_id', 'event', 'document_type', 'document_no', 'sequence', 'body', 'status'),
      ...only(callback, 'occurred_at', 'created_at', 'updated_at'),
      callback_url: callback.url,
      attempts: sample.callback_attempt
        .filter(({ callback_id }) => callback_id === callback.callback_id)
        .map((attempt) => only(attempt, 'at', 'duration_ms', 'http_status', 'error', 'address', 'response')),
      next_attempt_at: null,
      body_erased_at: null,
      test: false,
    },
    keys: {},
    ties: [callback.created_at as string, callback.callback_id as number],
  }));
}

function stocksOf(sample: Sample, rules: Record<number, string>): Modelled[] {
  return sample.lot
    .filter(({ on_hand }) => (on_hand as number) > 0)
    .map((lot) => {
      const { warehouse_no, sku_id, expire_date, on_hand, locked, lot_id } = lot as LotRow;
      const sellable = lot.stock_type === 'good' && expire_date >= (rules[warehouse_no] ?? '');
      return {
        row: {
          ...only(lot, 'warehouse_no', 'sku_id', 'stock_type', 'batch_id'),
          expire_date: expire_date === 'infinity' ? null : expire_date,
          qty: on_hand,
          qty_lock: locked,
          qty_available: sellable ? on_hand - locked : 0,
        },
        keys: {},
        ties: [comparable('sku_id', sku_id)!, lot_id],
      };
    });
}

function productsOf(sample: Sample): Modelled[] {
  return sample.product.map((product) => ({
    row: {
      ...only(product, 'sku_id', 'storage_type', 'created_at', 'updated_at'),
      products_id: product.product_id,
      sku_name: product.name,
      length: product.length_cm,
      width: product.width_cm,
      height: product.height_cm,
      weight: product.weight_kg,
      codes: [],
      locations: [],
    },
    keys: {},
    ties: [comparable('sku_id', product.sku_id)!],
  }));
}

/** The `sku_id` of each product. */
function skusOf(sample: Sample): Map<unknown, string> {
  return new Map(sample.product.map(({ product_id, sku_id }) => [product_id, sku_id as string]));
}

function ordersOf(sample: Sample): Modelled[] {
  const skuOf = skusOf(sample);
  return sample.orders.map((order) => {
    const { order_id, channel, partner_number } = order;
    const item = channel === 'logistics' ? noOrderItem : null;
    return {
      row: {
        ...only(
          order,
          ...documentFields,
          'name',
          'shipment_no',
          'carrier',
          'logistics_type',
          'express_type',
          'held_at',
        ),
        ...only(order, 'consignee_country', 'consignee_name', 'consignee_phone', 'consignee_address', 'consignee_zip'),
        held: order.held_at !== null && mayBeHeld.includes(order.status as string),
        ...{ changes: [], parcels: [], short: [], undelivered_reason: null },
        recipient_erased_at: null,
        orders_id: order.order_no,
        outbound_short_id: channel === 'logistics' ? null : partner_number,
        internal_name: channel === 'logistics' ? partner_number : null,
        details: sample.order_line
          .filter((line) => line.order_id === order_id)
          .map(({ product_id, qty }) => ({ sku_id: skuOf.get(product_id), qty, item })),
        shipping: null,
        returns: sample.inbound_document
          .filter((document) => returnedOrder(sample, document) === order)
          .map(({ document_no, status }) => ({ stock_in_no: document_no, status })),
        timeline: timelineOf(order),
      },
      keys: { outbound_short_id: partner_number, internal_name: partner_number, order_id },
      ties: [order.created_at as string, order_id as number],
    };
  });
}

function inboundsOf(sample: Sample): Modelled[] {
  const skuOf = skusOf(sample);
  return sample.inbound_document.map((document) => {
    const { inbound_id, channel, partner_number } = document;
    const lines = sample.inbound_line.filter((line) => line.inbound_id === inbound_id);
    const item = channel === 'logistics' ? noInboundItem : null;
    return {
      row: {
        ...only(document, ...documentFields, 'kind', 'estimated_arrival_at'),
        stock_in_no: document.document_no,
        inbound_short_id: channel === 'logistics' ? null : partner_number,
        form_no: channel === 'logistics' ? partner_number : null,
        outbound_short_id: document.original_order_number,
        orders_id: returnedOrder(sample, document)?.order_no ?? null,
        details: lines.map((line) => ({
          ...only(line, 'expire_date', 'batch_id', 'qty'),
          sku_id: skuOf.get(line.product_id),
          item,
        })),
        received: [],
        differences: missing(lines.map(({ product_id, qty }) => [skuOf.get(product_id)!, qty as number])),
        form: null,
        timeline: timelineOf(document),
      },
      keys: { inbound_short_id: partner_number, form_no: partner_number },
      ties: [document.created_at as string, inbound_id as number],
    };
  });
}

export function modelOf(sample: Sample, rules: Record<number, string>): Record<ListName, Modelled[]> {
  const modelled: Record<ListName, Modelled[]> = {
    stocks: stocksOf(sample, rules),
    products: productsOf(sample),
    orders: ordersOf(sample),
    inbounds: inboundsOf(sample),
    callbacks: callbacksOf(sample),
  };
  // The fields of a row are in the order of the schema.
  for (const name of listNames)
    for (const one of modelled[name]) one.row = only(one.row, ...Object.keys(lists[name].row.properties));
  return modelled;
}

/** Text is compared byte by byte, times as instants, and no expiry is later than every date. */
export function comparable(field: string, value: unknown): string | number | null {
  if (field === 'expire_date') return (value as string | null) ?? 'infinity';
  if (typeof value === 'string' && timeFields.includes(field)) return microsOf(value);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value as number | null;
}

export function microsOf(time: string): number {
  const [, seconds, decimals = '', offset] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(time)!;
  return Date.parse(`${seconds}${offset}`) * 1000 + Number(decimals.padEnd(6, '0'));
}

const holds: Record<string, (have: string | number, asked: string | number) => boolean> = {
  gte: (have, asked) => have >= asked,
  gt: (have, asked) => have > asked,
  lte: (have, asked) => have <= asked,
  lt: (have, asked) => have < asked,
  ne: (have, asked) => have !== asked,
  prefix: (have, asked) => String(have).startsWith(String(asked)),
};

/** Orders that are found by these fields come in the order of their ids, the newest first. */
const byPart = ['consignee_phone', 'sku_id'];

/** Fields that are not compared as a whole: the digits of a phone number, or its last four; the products of an order. */
function partsOf(field: string, row: Row): unknown[] | null {
  if (field === 'sku_id' && row.details) return (row.details as Row[]).map((line) => line.sku_id);
  if (field !== 'consignee_phone') return null;
  const digits = (row[field] as string | null)?.replaceAll(/[^0-9]/g, '');
  return digits === undefined ? [] : [digits, digits.slice(-4)];
}

/** A row without a value fits no question about it. */
function fits(field: string, row: Row, filter: unknown): boolean {
  const parts = partsOf(field, row);
  if (parts !== null) return [filter].flat().some((value) => parts.includes(value));
  const have = comparable(field, row[field]);
  if (have === null) return false;
  if (Array.isArray(filter)) return filter.some((value) => comparable(field, value) === have);
  if (typeof filter !== 'object') return comparable(field, filter) === have;
  return Object.entries(filter as object).every(([operator, value]) =>
    holds[operator]!(have, comparable(field, value)!),
  );
}

/** Without `sort`, rows of a range come in the order of its field. Orders have no order by store. */
function impliedSort(name: ListName, filters: Filters): string | null {
  if (name === 'orders' && byPart.some((field) => filters[field] !== undefined)) return '-order_id';
  const ranged = Object.keys(filters).find((field) => isRange(filters[field])) ?? null;
  if (name === 'orders' && ranged === 'store_no') return null;
  return ranged === 'created_at' && newestFirst.includes(name) ? null : ranged;
}

function isRange(filter: unknown): boolean {
  return (
    typeof filter === 'object' &&
    !Array.isArray(filter) &&
    Object.keys(filter as object).some((operator) => operator !== 'ne')
  );
}

const newestFirst: ListName[] = ['orders', 'inbounds', 'callbacks'];

type Asked = Pick<RandomSearch, 'filters' | 'sort'>;

export function expected(name: ListName, rows: Modelled[], { filters, sort }: Asked): Row[] {
  const wish = sort ?? impliedSort(name, filters);
  const descending = wish === null ? newestFirst.includes(name) : wish.startsWith('-');
  const field = wish?.replace(/^-/, '');
  const placeOf = ({ row, keys, ties }: Modelled) => [
    ...(field === undefined ? [] : [comparable(field, keys[field] ?? row[field])]),
    ...ties,
  ];
  return rows
    .filter(({ row }) => Object.entries(filters).every(([name, filter]) => fits(name, row, filter)))
    .map((one) => ({ row: one.row, place: placeOf(one) }))
    .toSorted((one, other) => comparePlaces(one.place, other.place) * (descending ? -1 : 1))
    .map(({ row }) => row);
}

/**
 * Exactly those rows, in that order. Where nobody has asked for one, the order is ours to choose for a range beside other filters; and by what
 * can still be sold it is only roughly one.
 */
export function assertFound(found: Row[], name: ListName, rows: Modelled[], asked: Asked): void {
  const all = expected(name, rows, asked);
  const filters = Object.entries(asked.filters);
  const isOurs = filters.some(
    ([field, filter]) =>
      (isRange(filter) && (filters.length > 1 || field === 'qty_available')) ||
      (byPart.includes(field) && filters.length > 1),
  );
  const isRough = asked.sort === null && isOurs;
  const inOrder = (those: Row[]) =>
    isRough ? those.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : those;
  assert.deepEqual(inOrder(found), inOrder(all), JSON.stringify(asked));
}

function comparePlaces(one: unknown[], other: unknown[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] as number) < (other[at] as number) ? -1 : 1;
}

/** The values of the rows in a field, and values near them. An empty text can be searched for in batch_id only. */
export function valuesOf(list: SearchList, rows: Modelled[], field: string): unknown[] {
  const had = [...new Set(rows.flatMap(({ row }) => partsOf(field, row) ?? [row[field]]))].filter(
    (value) => value !== null,
  );
  const near = had.slice(0, 12).flatMap((value): unknown[] => {
    if (typeof value === 'number') return [value + 1, Math.max(0, value - 1)];
    if (timeFields.includes(field)) {
      const micros = microsOf(value as string);
      return [taipei(micros + 1), utc(micros), utc(micros - 1)];
    }
    if (field === 'expire_date') return [dayAfter(value as string), '0001-01-01'];
    return field === 'event_id'
      ? ['00000000-0000-4000-8000-000000000000']
      : [`${value}!`, [...(value as string)][0]!, '', 'A'];
  });
  const check = makeChecker(list.fields[field]!.value);
  return [...had, ...new Set(near)].filter(
    (value) => check(value).kind === 'valid' && (value !== '' || field === 'batch_id'),
  );
}

function dayAfter(day: string): string {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  return next.startsWith('+') ? day : next;
}
