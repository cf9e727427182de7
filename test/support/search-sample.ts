import type { TestApp } from './app.ts';
import { insertRows, oddTexts, type Row, taipei } from './main.ts';

/** Rows of every list, of one account; by their tables. */
export interface Sample {
  product: Row[];
  lot: Row[];
  orders: Row[];
  order_line: Row[];
  inbound_document: Row[];
  inbound_line: Row[];
  callback: Row[];
  callback_attempt: Row[];
}

export const sampleStart = Date.parse('2026-10-01T15:59:59.998Z') * 1000;
const sampleDates = ['2026-10-30', '2026-11-14', '2026-11-15', '2026-11-16', '2026-12-31', '9999-12-31', 'infinity'];
const sampleStatuses = {
  orders: [
    'awaiting_stock',
    'pending_warehouse_transfer',
    'in_warehouse',
    'picking',
    'packed',
    'shipped',
    'delivered',
    'cancelled',
  ],
  inbound_document: ['expected', 'receiving', 'received', 'cancelled', 'stopped'],
  callback: ['pending', 'delivered', 'failed'],
};

interface SampleOptions {
  accountId: number;
  idsFrom: number;
  mark: string;
  rows: number;
}

/**
 * As good as random, and the same for the same size: only the ids differ, and the mark in what must be unique over all
 * accounts. Many rows are equal in what they can be sorted by, or microseconds apart.
 */
export function makeSample(options: SampleOptions): Sample {
  const source = makeSource(options);
  const product = makeProducts(source);
  const lot = makeLots(source, product);
  const orders = makeOrders(source);
  const inbound_document = makeInbounds(source, orders);
  const callback = makeCallbacks(source);
  return {
    product,
    lot: lot.filter((one, index) => lot.findIndex((other) => lotKeyOf(other) === lotKeyOf(one)) === index),
    orders: orders.map((row) => ({ ...row, environment: 'production' })),
    order_line: makeOrderLines(source, orders, product),
    inbound_document,
    inbound_line: makeInboundLines(source, inbound_document, product),
    callback,
    callback_attempt: makeAttempts(source, callback),
  };
}

type Source = ReturnType<typeof makeSource>;
type Product = ReturnType<typeof makeProducts>[number];
type Order = ReturnType<typeof makeOrders>[number];

/** The account and the ids of a sample, and its random choices. */
function makeSource({ accountId: account_id, idsFrom, mark, rows }: SampleOptions) {
  const random = makeRandom(rows);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  return {
    account_id,
    idsFrom,
    mark,
    ids: Array.from({ length: rows }, (_, index) => idsFrom + index),
    pick,
    maybe: <T>(value: T): T | null => (random() < 0.5 ? value : null),
    /** Numbers from 1 on, for parts of a row. */
    some: (mostly: number) => Array.from({ length: Math.ceil(random() * mostly) }, (_, index) => index + 1),
    times() {
      const createdMicros = sampleStart + Math.floor(random() * 20) * 333;
      return { created_at: taipei(createdMicros), updated_at: taipei(createdMicros + Math.floor(random() * 3) * 1000) };
    },
    /** Only the numbers of the logistics webhook may be the same in two accounts. */
    numberOf: (channel: string, id: number) =>
      `${pick(oddTexts)}${channel === 'logistics' ? '' : mark}-${id - idsFrom}`,
  };
}

function makeProducts({ ids, idsFrom, account_id, pick, maybe, times }: Source) {
  return ids.map((id) => ({
    product_id: id,
    account_id,
    sku_id: `${oddTexts[(id - idsFrom) % oddTexts.length]}${id - idsFrom < oddTexts.length ? '' : id - idsFrom}`,
    name: pick([...oddTexts, '']),
    storage_type: pick(['ambient', 'frozen', 'chilled', 'Category 7']),
    length_cm: maybe(pick([0, 0.001, 12.5, 999_999_999])),
    width_cm: maybe(1.1),
    height_cm: maybe(2.25),
    weight_kg: maybe(0.005),
    ...times(),
  }));
}

function makeLots({ ids, idsFrom, account_id, pick }: Source, products: Product[]) {
  return ids.map((id) => {
    const { product_id, sku_id } = pick(products);
    const on_hand = pick([0, 1, 1, 2, 3, 4, 7, 8, 9, 1000, 1024, 1_000_000_000_000]);
    return {
      lot_id: id,
      account_id,
      warehouse_no: pick([1, 2, 3]),
      product_id,
      sku_id,
      stock_type: pick(['good', 'good', 'bad']),
      batch_id: pick([...oddTexts, '', '', `B${id - idsFrom}`]),
      expire_date: pick(sampleDates),
      on_hand,
      locked: pick([0, 0, on_hand, Math.floor(on_hand / 2)]),
    };
  });
}

function makeOrders({ ids, account_id, pick, maybe, times, numberOf }: Source) {
  return ids.map((id) => {
    const channel = pick(['warehouse', 'main', 'logistics']);
    const partner_number = numberOf(channel, id);
    const status = pick(sampleStatuses.orders);
    return {
      order_id: id,
      account_id,
      channel,
      partner_number,
      order_no: `ow_${partner_number}_${String(id).padStart(10, '0')}`,
      payload_digest: '\\x00',
      warehouse_no: pick([1, 2, 3]),
      store_no: pick([10, 20, 2_147_483_647]),
      status,
      logistics_type: maybe('home'),
      express_type: maybe('tcat'),
      consignee_country: maybe('TW'),
      consignee_name: maybe(pick(['王小明', '王大明', '王', 'Lin Mei-hua', 'lin'])),
      consignee_phone: maybe(pick(['+886 912-345-678', '0912345678', '(02) 2345 5678', '5678', '12 3', 'none'])),
      consignee_address: maybe('臺北市 📦'),
      consignee_zip: maybe('110'),
      name: channel === 'logistics' ? maybe(pick(oddTexts)) : null,
      shipment_no: status === 'shipped' || status === 'delivered' ? maybe(pick(oddTexts)) : null,
      carrier: maybe('tcat'),
      held_at: maybe(times().updated_at),
      ...times(),
    };
  });
}

function makeInbounds(source: Source, orders: Order[]) {
  const { ids, idsFrom, account_id, mark, pick, maybe, times, numberOf } = source;
  return ids.map((id) => {
    const channel = pick(['warehouse', 'logistics']);
    const kind = pick(['inbound', 'return']);
    return {
      inbound_id: id,
      account_id,
      channel,
      kind,
      partner_number: numberOf(channel, id),
      document_no: `si_${pick(oddTexts)}${mark}${id - idsFrom}`,
      payload_digest: '\\x00',
      warehouse_no: pick([1, 2, 3]),
      store_no: pick([10, 20]),
      receiving: 'on_create',
      status: pick(sampleStatuses.inbound_document),
      estimated_arrival_at: maybe(taipei(sampleStart + 1000)),
      ...(kind === 'return'
        ? returnedBy(source, orders, id)
        : { original_order_number: null, original_order_id: null }),
      ...times(),
    };
  });
}

/** By number, by number and id, only by id; or of an order that we do not know. */
function returnedBy({ pick, maybe }: Source, orders: Order[], id: number) {
  const { order_id, channel, partner_number } = pick(orders.slice(0, 9));
  const number = channel === 'logistics' ? null : partner_number;
  return id % 2 === 0
    ? { original_order_number: maybe(pick([...oddTexts, number])), original_order_id: null }
    : { original_order_number: number, original_order_id: order_id };
}

function makeCallbacks({ ids, account_id, pick, times }: Source) {
  return ids.map((id) => ({
    callback_id: id,
    account_id,
    event_id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    event: pick(['order.shipped', 'order.cancelled', 'inbound.received', 'return.received']),
    document_type: pick(['order', 'inbound', 'return']),
    document_no: pick(oddTexts),
    url: 'https://partner.example/callback',
    status: pick(sampleStatuses.callback),
    occurred_at: taipei(sampleStart),
    document_id: id,
    sequence: 1,
    key_name: 'wms',
    receiver_id: '00000000-0000-4000-8000-000000000000',
    body: '{}',
    ...times(),
  }));
}

function makeOrderLines(source: Source, orders: Order[], products: Product[]) {
  const { account_id, some } = source;
  return orders.flatMap(({ order_id }) =>
    some(3).map((line_no) => ({ order_id, line_no, account_id, ...lineOf(source, products) })),
  );
}

function makeInboundLines(source: Source, inbounds: { inbound_id: number }[], products: Product[]) {
  const { account_id, some, pick, maybe } = source;
  return inbounds.flatMap(({ inbound_id }) =>
    some(3).map((line_no) => ({
      inbound_id,
      line_no,
      account_id,
      ...lineOf(source, products),
      batch_id: pick(['', 'B1']),
      expire_date: maybe('2030-01-01'),
    })),
  );
}

function lineOf({ pick }: Source, products: Product[]) {
  return { product_id: pick(products).product_id, qty: pick([1, 2, 1_000_000_000]) };
}

function makeAttempts({ account_id, some, pick, maybe }: Source, callbacks: { callback_id: number }[]) {
  return callbacks.flatMap(({ callback_id }) =>
    some(3).map((attempt_no) => ({
      callback_id,
      attempt_no,
      account_id,
      at: taipei(sampleStart + attempt_no),
      duration_ms: pick([0, 12, 15_000]),
      http_status: maybe(503),
      error: maybe('timeout'),
      address: maybe('203.0.113.7'),
      response: maybe('茶'),
    })),
  );
}

export async function insertSample(app: TestApp, sample: Sample): Promise<void> {
  for (const [table, rows] of Object.entries(sample)) await insertRows(app, table, rows);
}

function lotKeyOf({ product_id, warehouse_no, stock_type, batch_id, expire_date }: Row): string {
  return JSON.stringify([product_id, warehouse_no, stock_type, batch_id, expire_date]);
}

/** Mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
