import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FuzzCaller } from './fuzz-caller.ts';

type Json = Record<string, unknown>;

/** Each field of accepted data as it was sent, and as the service returns it. */
type Compared = Record<string, [sent: unknown, returned: unknown]>;

/** A row that a search must find, and the fields to compare. */
interface Question {
  list: string;
  filter: Json;
  /** Selects the row when the search may find others as well. */
  isMeant?: (row: Json) => boolean;
  compare(row: Json): Compared;
}

const orNull = (value: unknown) => value ?? null;
/** The logistics webhook treats blank fields as missing. */
const unlessBlank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : orNull(value));
const entriesOf = (value: unknown) => (value ?? []) as Json[];

const ordersList = '/api/v2/default/getOrdersData/searchList';
const inboundsList = '/api/v2/default/getInboundsData/searchList';
const stocksList = '/api/v2/default/getStocksData/searchList';
/** Entries of a long list that are looked up. */
const lookedUpMax = 3;

const storageTypes = new Map(
  ['ambient', 'air_conditioned', 'frozen', 'chilled'].map((type, index) => [String(index + 1), type]),
);
const storageOf = (value: unknown) => storageTypes.get(String(value)) ?? unlessBlank(value);

const ofOrder = (body: Json): Question => ({
  list: ordersList,
  filter: { 'orders.outbound_short_id': body.outbound_short_id },
  compare: (row) => ({
    ...same(body, row, ['outbound_short_id', 'consignee_country', 'logistics_type', 'express_type']),
    ...same(body, row, ['consignee_name', 'consignee_phone', 'consignee_address', 'consignee_zip']),
    details: [
      entriesOf(body.details).map(({ sku_id, qty }) => [sku_id, qty]),
      entriesOf(row.details).map(({ sku_id, qty }) => [sku_id, qty]),
    ],
  }),
});

const ofInbound = (body: Json): Question => ({
  list: inboundsList,
  filter: { 'inbounds.inbound_short_id': body.inbound_short_id },
  compare: (row) => ({
    ...same(body, row, ['inbound_short_id', 'outbound_short_id']),
    arrival: [
      orNull(body.estimated_arrival_time),
      row.estimated_arrival_at && Date.parse(String(row.estimated_arrival_at)),
    ],
    details: [
      entriesOf(body.details).flatMap(({ sku_id, expires }) =>
        entriesOf(expires).map(({ expire_date, qty }) => [sku_id, expire_date, qty]),
      ),
      entriesOf(row.details).map(({ sku_id, expire_date, qty }) => [sku_id, expire_date, qty]),
    ],
  }),
});

const ofShipping = (body: Json): Question => ({
  list: ordersList,
  filter: { 'orders.internal_name': body.internal_name },
  compare: (row) => {
    const shipping = row.shipping as Json;
    return {
      ...same(body, row, ['internal_name', 'name']),
      ...sameUnlessBlank(body, shipping, [
        'customer_name',
        'delivery_charge',
        'city',
        'note',
        'callback_url',
        'store_pickup_label_data',
      ]),
      recipient: [
        [body.delivery_name, body.phone, unlessBlank(body.address)],
        [row.consignee_name, row.consignee_phone, row.consignee_address],
      ],
      products: [
        entriesOf(body.products).map(({ sku, quantity, batch, combo_sku, ...item }) => [
          ...[sku, quantity, ...itemOf(item)],
          ...[unlessBlank(batch), unlessBlank(combo_sku)],
        ]),
        entriesOf(row.details).map(({ sku_id, qty, item }) => [
          ...[sku_id, qty, ...itemOf(item as Json)],
          ...[(item as Json).batch, (item as Json).combo_sku],
        ]),
      ],
    };
  },
});

const ofForm = (body: Json): Question => ({
  list: inboundsList,
  filter: { 'inbounds.form_no': body.form_no },
  compare: (row) => ({
    ...same(body, row, ['form_no']),
    ...sameUnlessBlank(body, row.form as Json, [
      'internal_form_no',
      'shipping_type',
      'sender_name',
      'sender_address',
      'callback_url',
    ]),
    kind: [body.form_type === 2 ? 'return' : 'inbound', row.kind],
    products: [
      entriesOf(body.products).map(({ sku, quantity, expire_date, batch, ...item }) => [
        ...[sku, quantity, orNull(expire_date), batch ?? ''],
        ...itemOf(item),
      ]),
      entriesOf(row.details).map(({ sku_id, qty, expire_date, batch_id, item }) => [
        ...[sku_id, qty, expire_date, batch_id],
        ...itemOf(item as Json),
      ]),
    ],
  }),
});

interface Arrived {
  sku_id: unknown;
  stock_type: unknown;
  batch_id: unknown;
  expire_date: unknown;
  qty: number;
}

/** The lots that hold these units, possibly among others. */
const lotsOf = (arrived: Arrived[]): Question[] =>
  arrived.slice(0, lookedUpMax).map(({ sku_id, stock_type, batch_id, expire_date, qty }) => ({
    list: stocksList,
    filter: {
      'products_stock.sku_id': sku_id,
      'products_stock.stock_type': stock_type,
      'products_stock.batch_id': batch_id,
      ...(expire_date === null ? { sort: '-expire_date' } : { 'products_stock.expire_date': expire_date }),
    },
    isMeant: (row) => row.expire_date === expire_date,
    compare: (row) => ({ ...same({ batch_id }, row, ['batch_id']), qty: atLeast(qty, row.qty) }),
  }));

const ofReceipt = (body: Json, response: Json): Question[] => {
  const arrived = entriesOf(body.details).map(
    (detail) =>
      ({ ...detail, batch_id: detail.batch_id ?? '', expire_date: detail.expire_date || null }) as unknown as Arrived,
  );
  const document: Question = {
    list: inboundsList,
    filter: named(body, 'inbounds', ['inbound_short_id', 'form_no']),
    compare: (row) => ({
      status: [response.status, row.status],
      ...Object.fromEntries(
        arrived.map((units) => [`received ${lotText(units)}`, atLeast(units.qty, receivedOf(row, units))]),
      ),
    }),
  };
  return [document, ...lotsOf(arrived)];
};

const lotText = ({ sku_id, stock_type, batch_id, expire_date }: Arrived) =>
  JSON.stringify([sku_id, stock_type, batch_id, expire_date]);
const receivedOf = (row: Json, units: Arrived) =>
  (row.received as Arrived[]).find((received) => lotText(received) === lotText(units))?.qty ?? 0;

/** Each order with a single report in the body that the service accepted. */
const ofReports = (body: Json, response: Json): Question[] => {
  const results = entriesOf(response.results);
  const reports = entriesOf(body.orders).map((report, index) => ({ report, status: results[index]?.status }));
  const numberOf = ({ outbound_short_id, internal_name }: Json) => JSON.stringify([outbound_short_id, internal_name]);
  const perOrder = Map.groupBy(reports, ({ report }) => numberOf(report));
  return [...perOrder.values()]
    .filter(([one, ...more]) => more.length === 0 && one!.status === one!.report.status)
    .slice(0, lookedUpMax)
    .map(([one]) => ({
      list: ordersList,
      filter: named(one!.report, 'orders', ['outbound_short_id', 'internal_name']),
      compare: (row) => ({
        ...same(one!.report, row, ['status']),
        ...(one!.report.shipment_no ? same(one!.report, row, ['shipment_no']) : {}),
        ...(one!.report.carrier ? same(one!.report, row, ['carrier']) : {}),
      }),
    }));
};

/** Documents that the response calls cancelled must be cancelled. */
const ofCancels =
  (list: string, prefix: string, names: string[]) =>
  (_: Json, response: Json): Question[] =>
    entriesOf(response.results)
      .filter(({ status }) => status === 'cancelled')
      .slice(0, lookedUpMax)
      .map((result) => ({
        list,
        filter: named({ ...result, inbound_short_id: result.inbound_short_id ?? result.stock_in_sn }, prefix, names),
        compare: (row) => ({ status: ['cancelled', row.status] }),
      }));
const ofInboundCancels = ofCancels(inboundsList, 'inbounds', ['inbound_short_id', 'form_no']);
const ofOrderCancels = ofCancels(ordersList, 'orders', ['outbound_short_id', 'internal_name']);

/** The filter for the first of these names that the body has. */
function named(body: Json, prefix: string, names: string[]): Json {
  const name = names.find((one) => orNull(body[one]) !== null)!;
  return { [`${prefix}.${name}`]: body[name] };
}

const readBacks: Record<string, (body: Json, response: Json) => Question[]> = {
  productSync: (body) => [
    {
      list: '/api/v2/default/getProductsData/searchList',
      filter: { 'products.sku_id': body.sku_id },
      compare: (row) => ({
        ...same(body, row, ['sku_id', 'sku_name', 'length', 'width', 'height', 'weight']),
        storage: [storageOf(body.storage_type), row.storage_type],
      }),
    },
  ],
  outboundCreate: (body) => [ofOrder(body)],
  ordersCreate: (body) => [ofOrder(body)],
  inboundCreate: (body) => [ofInbound(body)],
  inboundReturn: (body) => [ofInbound(body)],
  shippingOrder: (body) => [ofShipping(body)],
  inboundForm: (body) => [
    ofForm(body),
    ...lotsOf(
      entriesOf(body.products).map(({ sku, batch, expire_date, quantity }) => ({
        sku_id: sku,
        stock_type: 'good',
        batch_id: batch ?? '',
        expire_date: orNull(expire_date),
        qty: quantity as number,
      })),
    ),
  ],
  inboundsReceive: ofReceipt,
  inboundsStop: (body, response) => [
    {
      list: inboundsList,
      filter: named(body, 'inbounds', ['inbound_short_id', 'form_no']),
      compare: (row) => ({ status: [response.status, row.status] }),
    },
  ],
  fulfilmentAdvance: ofReports,
  inboundCancel: ofInboundCancels,
  inboundsCancel: ofInboundCancels,
  outboundCancel: ofOrderCancels,
  ordersCancel: ofOrderCancels,
};

function itemOf({ name, price, identifier, storage_type }: Json): unknown[] {
  return [unlessBlank(name), orNull(price), unlessBlank(identifier), storageOf(storage_type)];
}

function atLeast(sent: number, returned: unknown): [unknown, unknown] {
  return [sent, Math.min(sent, Number(returned))];
}

function same(body: Json, row: Json, fields: string[]): Compared {
  return Object.fromEntries(fields.map((field) => [field, [orNull(body[field]), orNull(row[field])]]));
}

function sameUnlessBlank(body: Json, row: Json, fields: string[]): Compared {
  return Object.fromEntries(fields.map((field) => [field, [unlessBlank(body[field]), orNull(row[field])]]));
}

/** Fields of an accepted body that came back altered, one line each; none for operations that store nothing. */
export async function differencesAfter(
  caller: FuzzCaller,
  operationId: string,
  body: Json,
  response: Json,
): Promise<string[]> {
  const questions = readBacks[operationId]?.(body, response) ?? [];
  const differences = await Promise.all(questions.map((question) => differencesOf(caller, question)));
  return differences.flat();
}

const searchTriesMax = 10;

async function differencesOf(
  caller: FuzzCaller,
  { list, filter, isMeant = () => true, compare }: Question,
): Promise<string[]> {
  let answer = await caller.post(list, Buffer.from(JSON.stringify(filter)));
  // A busy machine may refuse a search for lack of time, which says nothing about the stored data.
  for (let tries = 1; answer?.status !== 200 && tries < searchTriesMax; tries++) {
    await sleep(500);
    answer = await caller.post(list, Buffer.from(JSON.stringify(filter)));
  }
  const found: Json[] = JSON.parse(answer?.body ?? '{}').retval?.rows ?? [];
  const rows = found.filter(isMeant);
  if (rows.length !== 1) return [`${rows.length} rows found for ${JSON.stringify(filter)}`];
  return Object.entries(compare(rows[0]!))
    .filter(([, [sent, returned]]) => !isDeepStrictEqual(unsigned(sent), returned))
    .map(([field, [sent, returned]]) => `${field} was ${JSON.stringify(sent)} and is ${JSON.stringify(returned)}`);
}

/** Replaces -0 with 0, as JSON does. */
function unsigned(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Checks the fields of a body that the response repeats; null: they are equal, or it repeats none. */
export function wrongEcho(operationId: string, body: Json, answer: Json): string | null {
  const response = (answer.data ?? answer.retval) as {
    results?: Json[];
    stock_details?: Json[];
    stock_in_sn?: string;
    orders_id?: string;
  };
  const results = (response.results ?? []).map(
    (one) => one.outbound_short_id ?? one.stock_in_sn ?? one.internal_name ?? one.inbound_short_id ?? one.form_no,
  );
  switch (operationId) {
    case 'inboundCreate':
    case 'inboundReturn':
      return differ([body.inbound_short_id], [response.stock_in_sn]);
    case 'outboundCreate':
    case 'ordersCreate':
      return differ([`ow_${body.outbound_short_id}_`], [response.orders_id?.replace(/[^_]*$/, '')]);
    case 'stockQuery':
      return differ(
        [...new Set(body.sku_ids as string[])].sort(),
        [...new Set(response.stock_details!.map((row) => row.sku_id as string))].sort(),
      );
    case 'inboundCancel':
    case 'inboundsCancel':
      return differ([...((body.inbound_short_ids as string[]) ?? []), ...((body.form_nos as string[]) ?? [])], results);
    case 'outboundCancel':
    case 'ordersCancel':
      return differ(
        [...((body.outbound_short_ids as string[]) ?? []), ...((body.internal_names as string[]) ?? [])],
        results,
      );
    case 'fulfilmentAdvance':
      return differ(
        entriesOf(body.orders).map((one) => one.outbound_short_id ?? one.internal_name),
        results,
      );
    default:
      return null;
  }
}

function differ(sent: unknown[], returned: unknown[]): string | null {
  return isDeepStrictEqual(sent, returned)
    ? null
    : `${JSON.stringify(sent).slice(0, 300)} came back as ${JSON.stringify(returned).slice(0, 300)}`;
}
