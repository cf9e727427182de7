import { expiresInAllMax } from '../contract/warehouse/inbound.ts';
import { faultAccount } from './child-process.ts';
import { stockedSku } from './hostile-bodies.ts';

/** A body that is as expensive as possible, and where to send it. */
export interface HostileShape {
  name: string;
  path: string;
  /** Within all limits, so the service accepts it. */
  isSound: boolean;
  /** Creates the body under a unique document number. */
  make(number: string): Buffer;
}

const bytesMax = 1_048_576;
const syncPath = '/warehouse/v1/product/sync';
const inboundPath = '/warehouse/v1/inbound/create';
const returnPath = '/warehouse/v1/inbound/return';
const orderPath = '/warehouse/v1/outbound/create';
const stockPath = '/warehouse/v1/stock/query';
const cancelPath = '/warehouse/v1/outbound/cancel';
const searchPath = '/api/v2/default/getOrdersData/searchList';
const advancePath = '/api/v2/default/fulfilment/advance';
const receivePath = '/api/v2/default/inbounds/receive';
const redeliverPath = '/api/v2/default/callbacks/redeliver';
const shippingPath = '/logistics/orders/order';
const formPath = '/logistics/purchases/purchase';

const listOf = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(',');

/** The largest number of parts that fits into the size limit, at most `countMax`. */
function filled(
  open: string,
  one: (index: number) => string,
  close: string,
  countMax = Number.POSITIVE_INFINITY,
): string {
  const parts: string[] = [];
  let length = open.length + close.length;
  for (let index = 0; index < countMax; index++) {
    const part = one(index);
    length += part.length + 1;
    if (length > bytesMax) break;
    parts.push(part);
  }
  return `${open}${parts.join(',')}${close}`;
}

const key = (index: number, width: number) => `"${String(index).padStart(width, '0')}"`;
const wrongItem =
  '{"sku":1,"quantity":"x","storage_type":1,"combo_sku":1,"batch":1,"name":1,"price":"x","identifier":1,"expire_date":5}';

/** Expensive to parse. */
const hardToParse: [name: string, body: () => string][] = [
  ['open brackets', () => '['.repeat(bytesMax)],
  ['open objects', () => '{"a":'.repeat(bytesMax / 5)],
  ['one text', () => `{"a":"${'x'.repeat(bytesMax - 8)}"}`],
  ['escapes', () => `{"a":"${'\\u0041'.repeat((bytesMax - 8) / 6)}"}`],
  ['escapes, and no end', () => `{"a":"${'\\u0041'.repeat((bytesMax - 8) / 6)}`],
  ['spaces, and no end', () => `{"a":1${' '.repeat(bytesMax - 8)}`],
  ['numbers', () => filled('{"a":[', () => '1', ']}')],
  ['numbers of 17 digits', () => filled('{"a":[', () => '0.12345678901234566', ']}')],
  ['a number of 1 MiB', () => `{"a":0.${'1'.repeat(bytesMax - 9)}}`],
  ['a number of zeros', () => `{"a":0.${'0'.repeat(bytesMax - 9)}}`],
  ['200,000 keys', () => filled('{', (index) => `${key(index, 1)}:1`, '}')],
  ['20,000 keys', () => filled('{', (index) => `${key(index, 40)}:1`, '}', 20_000)],
  [
    'five objects of 19,000 keys',
    () => `{"a":[${listOf(5, () => `{${listOf(19_000, (index) => `${key(index, 1)}:1`)}}`)}]}`,
  ],
  ['objects of 25 keys', () => filled('{"a":[', () => `{${listOf(25, (index) => `${key(index, 1)}:1`)}}`, ']}')],
  ['objects of 24 keys', () => filled('{"a":[', () => `{${listOf(24, (index) => `${key(index, 2)}:1`)}}`, ']}', 3900)],
  ['objects with an escaped key', () => filled('{"a":[', () => '{"\\u0041":1}', ']}')],
  ['empty objects', () => filled('{"a":[', () => '{}', ']}')],
  ['49,000 empty objects', () => filled('{"a":[', () => '{}', ']}', 49_000)],
  ['lists in lists', () => filled('{"a":[', () => `${'['.repeat(30)}${']'.repeat(30)}`, ']}', 3100)],
  ['99,000 texts, and no end', () => filled('{"a":[', () => '"12345"', ']', 99_000)],
];

const expiry = (index: number) =>
  `{"expire_date":"${2100 + (index % 900)}-10-${10 + (Math.floor(index / 900) % 19)}","qty":1}`;
/** An inbound document with this many expiries in total, each with another date. */
const inbound = (number: string, expiries: number, { perDetail = 100, others = '' } = {}) => {
  const counts = Array.from({ length: Math.ceil(expiries / perDetail) }, (_, index) =>
    Math.min(perDetail, expiries - index * perDetail),
  );
  const details = counts.map(
    (count, detail) =>
      `{"sku_id":"${stockedSku}","expires":[${listOf(count, (index) => expiry(detail * perDetail + index))}]}`,
  );
  return `{${others}"inbound_short_id":"${number}","warehouse_tpw_id":"${faultAccount.tenant}","details":[${details}]}`;
};
const ofOrder = '"outbound_short_id":"OUT-1",';
const order = (number: string, details: string) =>
  `{"outbound_short_id":"${number}","warehouse_tpw_id":"${faultAccount.tenant}","consignee_country":"TW","logistics_type":"home","express_type":"tcat","details":[${details}]}`;
const shipping = (number: string, products: string, others = '') =>
  `{${others}"internal_name":"${number}","name":"n","customer_name":"c","delivery_name":"d","phone":"0","delivery_charge":0,"products":[${products}]}`;
const form = (number: string, products: string) =>
  `{"form_no":"${number}","internal_form_no":"f","form_type":1,"shipping_type":1,"callback_url":"https://partner.example/","products":[${products}]}`;
const newItem = (number: string, index: number) =>
  `{"sku":"${number}-${index}","quantity":1,"storage_type":"ambient","name":"${'n'.repeat(255)}"}`;
const label = `"store_pickup_label_data":{"a":[${listOf(32_000, () => '1')}]},`;

/** Expensive to validate. */
const hardToValidate: [name: string, path: string, body: (number: string) => string][] = [
  ['details of nothing', inboundPath, () => filled('{"details":[', () => '{}', ']}', 49_000)],
  ['90,000 details null', orderPath, () => filled('{"details":[', () => 'null', ']}', 90_000)],
  ['90,000 skus that are numbers', stockPath, () => filled('{"sku_ids":[', () => '0', ']}', 90_000)],
  ['90,000 numbers to cancel', cancelPath, () => filled('{"outbound_short_ids":[', () => '0', ']}', 90_000)],
  [
    '500 details, all wrong',
    inboundPath,
    () => `{"details":[${listOf(500, () => '{"sku_id":" ","qty":"x","expires":[{},{}]}')}]}`,
  ],
  [
    '50,000 expiries, all wrong',
    inboundPath,
    () => `{"details":[${listOf(500, () => `{"expires":[${listOf(60, () => '{"qty":0}')}]}`)}]}`,
  ],
  ['an expiry too many', inboundPath, (number) => inbound(number, expiresInAllMax + 1)],
  [
    'an expiry too many, of a return',
    returnPath,
    (number) => inbound(number, expiresInAllMax + 1, { others: ofOrder }),
  ],
  ['27,000 expiries', inboundPath, (number) => inbound(number, 27_000)],
  ['27,000 expiries of a return', returnPath, (number) => inbound(number, 27_000, { perDetail: 60, others: ofOrder })],
  [
    '500 unknown products',
    orderPath,
    (number) =>
      order(
        number,
        listOf(500, (index) => `{"sku_id":"${String(index).padStart(125, 'u')}","qty":1}`),
      ),
  ],
  ['500 items, all wrong', shippingPath, () => `{"products":[${listOf(500, () => wrongItem)}]}`],
  ['8,000 items, all wrong', formPath, () => filled('{"products":[', () => wrongItem, ']}')],
  [
    '5,000 skus with a space behind',
    stockPath,
    () => `{"sku_ids":[${listOf(5000, (index) => `"${String(index).padStart(125, 's')} "`)}]}`,
  ],
  ['a blank name of 1 MiB', shippingPath, () => `{"customer_name":"${' '.repeat(1_000_000)}"}`],
  ['an address of 1 MiB', formPath, () => `{"callback_url":"http://${'a.'.repeat(500_000)}"}`],
  ['images of 1 MiB', syncPath, () => `{"sku_images":["https://${'%41'.repeat(300_000)}"]}`],
  ['a label of 1 MiB', shippingPath, () => filled('{"store_pickup_label_data":{"a":[', () => '"123456789"', ']}}')],
  ['19,000 filters', searchPath, () => `{${listOf(19_000, (index) => `${key(index, 40)}:1`)}}`],
  ['90,000 values of a filter', searchPath, () => filled('{"orders.status":[', () => '1', ']}', 90_000)],
  [
    'every filter with 100 values',
    searchPath,
    () => `{"orders.status":[${listOf(100, () => '"x"')}],"orders.updated_at":[${listOf(100, () => '"x"')}]}`,
  ],
  ['a cursor of 1 MiB', searchPath, () => `{"cursor":"${'A'.repeat(1_000_000)}"}`],
  ['a sort key of 1 MiB', searchPath, () => `{"sort":"${'-'.repeat(1_000_000)}"}`],
  [
    '100 reports, all wrong',
    advancePath,
    () => `{"orders":[${listOf(100, () => '{"status":1,"shipment_no":1,"carrier":1}')}]}`,
  ],
  ['19,000 filters of a redelivery', redeliverPath, () => `{${listOf(19_000, (index) => `${key(index, 40)}:1`)}}`],
];

const lotArrived = (index: number) =>
  `{"sku_id":"${stockedSku}","expire_date":null,"batch_id":"L-${index}","qty":1,"stock_type":"good"}`;

/** The largest bodies within all limits. */
const largest: [name: string, path: string, body: (number: string) => string][] = [
  ['all expiries that there can be', inboundPath, (number) => inbound(number, expiresInAllMax)],
  [
    'all expiries in 500 details',
    inboundPath,
    (number) => inbound(number, expiresInAllMax, { perDetail: expiresInAllMax / 500 }),
  ],
  ['all expiries of a return', returnPath, (number) => inbound(number, expiresInAllMax, { others: ofOrder })],
  [
    '500 lines of an order',
    orderPath,
    (number) =>
      order(
        number,
        listOf(500, () => `{"sku_id":"${stockedSku}","qty":1}`),
      ),
  ],
  [
    '500 new products',
    shippingPath,
    (number) =>
      shipping(
        number,
        listOf(500, (index) => newItem(number, index)),
      ),
  ],
  [
    '500 new products of a form',
    formPath,
    (number) =>
      form(
        number,
        listOf(500, (index) => newItem(number, index)),
      ),
  ],
  [
    'a receipt of 500 lots',
    receivePath,
    (number) => `{"inbound_short_id":"${number}","details":[${listOf(500, lotArrived)}]}`,
  ],
  [
    'a label of 64 KiB',
    shippingPath,
    (number) => shipping(number, `{"sku":"${stockedSku}","quantity":1,"storage_type":"x"}`, label),
  ],
  ['5,000 skus', stockPath, () => `{"sku_ids":[${listOf(5000, (index) => `"${String(index).padStart(125, 's')}"`)}]}`],
  ['all lots of a product', stockPath, () => `{"sku_ids":["${stockedSku}"]}`],
  ['a page of 500 orders', searchPath, () => '{"page_size":500}'],
];

export const hostileShapes: HostileShape[] = [
  ...hardToParse.map(([name, body]) => [name, orderPath, false, body] as const),
  ...hardToValidate.map(([name, path, body]) => [name, path, false, body] as const),
  ...largest.map(([name, path, body]) => [name, path, true, body] as const),
].map(([name, path, isSound, body]) => ({ name, path, isSound, make: (number) => Buffer.from(body(number)) }));
