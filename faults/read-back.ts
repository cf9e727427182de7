import { isDeepStrictEqual } from 'node:util';
import type { FuzzCaller } from './fuzz-caller.ts';

type Json = Record<string, unknown>;

/** What has become of what was accepted: each field as it was sent, and as the service tells it. */
type Compared = Record<string, [sent: unknown, told: unknown]>;

interface ReadBack {
  /** Where it is found, and by which number. */
  list: string;
  filter: string;
  number: string;
  compare(body: Json, row: Json): Compared;
}

const orNull = (value: unknown) => value ?? null;
/** To the logistics webhook, what is left out and what is blank are the same. */
const unlessBlank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : orNull(value));
const entriesOf = (value: unknown) => value as Json[];

const ofOrder: ReadBack = {
  list: '/api/v2/default/getOrdersData/searchList',
  filter: 'orders.outbound_short_id',
  number: 'outbound_short_id',
  compare: (body, row) => ({
    ...same(body, row, ['outbound_short_id', 'consignee_country', 'logistics_type', 'express_type']),
    ...same(body, row, ['consignee_name', 'consignee_phone', 'consignee_address', 'consignee_zip']),
    details: [
      entriesOf(body.details).map(({ sku_id, qty }) => [sku_id, qty]),
      entriesOf(row.details).map(({ sku_id, qty }) => [sku_id, qty]),
    ],
  }),
};

const ofInbound: ReadBack = {
  list: '/api/v2/default/getInboundsData/searchList',
  filter: 'inbounds.inbound_short_id',
  number: 'inbound_short_id',
  compare: (body, row) => ({
    ...same(body, row, ['inbound_short_id', 'outbound_short_id']),
    details: [
      entriesOf(body.details).flatMap(({ sku_id, expires }) =>
        entriesOf(expires).map(({ expire_date, qty }) => [sku_id, expire_date, qty]),
      ),
      entriesOf(row.details).map(({ sku_id, expire_date, qty }) => [sku_id, expire_date, qty]),
    ],
  }),
};

const readBacks: Record<string, ReadBack> = {
  productSync: {
    list: '/api/v2/default/getProductsData/searchList',
    filter: 'products.sku_id',
    number: 'sku_id',
    compare: (body, row) => same(body, row, ['sku_id', 'sku_name', 'length', 'width', 'height', 'weight']),
  },
  outboundCreate: ofOrder,
  ordersCreate: ofOrder,
  inboundCreate: ofInbound,
  inboundReturn: ofInbound,
  shippingOrder: {
    list: ofOrder.list,
    filter: 'orders.internal_name',
    number: 'internal_name',
    compare: (body, row) => {
      const shipping = row.shipping as Json;
      return {
        ...same(body, row, ['internal_name', 'name']),
        ...sameUnlessBlank(body, shipping, ['customer_name', 'delivery_charge', 'city', 'note', 'callback_url', 'store_pickup_label_data']),
        recipient: [
          [body.delivery_name, body.phone, unlessBlank(body.address)],
          [row.consignee_name, row.consignee_phone, row.consignee_address],
        ],
        products: [
          entriesOf(body.products).map(({ sku, quantity, ...item }) => [
            sku,
            quantity,
            ...itemOf(item),
            unlessBlank(item.batch),
            unlessBlank(item.combo_sku),
          ]),
          entriesOf(row.details).map(({ sku_id, qty, item }) => [
            sku_id,
            qty,
            ...itemOf(item as Json),
            (item as Json).batch,
            (item as Json).combo_sku,
          ]),
        ],
      };
    },
  },
  inboundForm: {
    list: ofInbound.list,
    filter: 'inbounds.form_no',
    number: 'form_no',
    compare: (body, row) => ({
      ...same(body, row, ['form_no']),
      ...sameUnlessBlank(body, row.form as Json, ['internal_form_no', 'shipping_type', 'sender_name', 'sender_address', 'callback_url']),
      products: [
        entriesOf(body.products).map(({ sku, quantity, expire_date, batch, ...item }) => [
          sku,
          quantity,
          orNull(expire_date),
          batch ?? '',
          ...itemOf(item),
        ]),
        entriesOf(row.details).map(({ sku_id, qty, expire_date, batch_id, item }) => [
          sku_id,
          qty,
          expire_date,
          batch_id,
          ...itemOf(item as Json),
        ]),
      ],
    }),
  },
};

function itemOf({ name, price, identifier }: Json): unknown[] {
  return [unlessBlank(name), orNull(price), unlessBlank(identifier)];
}

function same(body: Json, row: Json, fields: string[]): Compared {
  return Object.fromEntries(fields.map((field) => [field, [orNull(body[field]), orNull(row[field])]]));
}

function sameUnlessBlank(body: Json, row: Json, fields: string[]): Compared {
  return Object.fromEntries(fields.map((field) => [field, [unlessBlank(body[field]), orNull(row[field])]]));
}

/** What came back altered of an accepted body, each in one line; nothing where this operation keeps nothing. */
export async function differencesAfter(caller: FuzzCaller, operationId: string, body: Json): Promise<string[]> {
  const readBack = readBacks[operationId];
  if (!readBack) return [];
  const filter = { [readBack.filter]: body[readBack.number] };
  const answer = await caller.post(readBack.list, Buffer.from(JSON.stringify(filter)));
  const rows: Json[] = JSON.parse(answer?.body ?? '{}').retval?.rows ?? [];
  if (rows.length !== 1) return [`${rows.length} rows found for ${JSON.stringify(filter)}`];
  return Object.entries(readBack.compare(body, rows[0]!))
    .filter(([, [sent, told]]) => !isDeepStrictEqual(unsigned(sent), told))
    .map(([field, [sent, told]]) => `${field} was ${JSON.stringify(sent)} and is ${JSON.stringify(told)}`);
}

/** -0 is 0. */
function unsigned(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What an answer repeats of a body, where it does; null: it does not, or as it should. */
export function wrongEcho(operationId: string, body: Json, answer: Json): string | null {
  const told = (answer.data ?? answer.retval) as { results?: Json[]; stock_details?: Json[] };
  const results = (told.results ?? []).map(
    (one) => one.outbound_short_id ?? one.stock_in_sn ?? one.internal_name ?? one.inbound_short_id ?? one.form_no,
  );
  switch (operationId) {
    case 'stockQuery':
      return differ(
        [...new Set(body.sku_ids as string[])].sort(),
        [...new Set(told.stock_details!.map((row) => row.sku_id as string))].sort(),
      );
    case 'inboundCancel':
    case 'inboundsCancel':
      return differ([...((body.inbound_short_ids as string[]) ?? []), ...((body.form_nos as string[]) ?? [])], results);
    case 'outboundCancel':
    case 'ordersCancel':
      return differ([...((body.outbound_short_ids as string[]) ?? []), ...((body.internal_names as string[]) ?? [])], results);
    case 'fulfilmentAdvance':
      return differ(
        entriesOf(body.orders).map((one) => one.outbound_short_id ?? one.internal_name),
        results,
      );
    default:
      return null;
  }
}

function differ(sent: unknown[], told: unknown[]): string | null {
  return isDeepStrictEqual(sent, told) ? null : `${JSON.stringify(sent).slice(0, 300)} came back as ${JSON.stringify(told).slice(0, 300)}`;
}
