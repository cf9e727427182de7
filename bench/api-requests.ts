import { faultAccount, faultKey } from '../faults/child-process.ts';
import type { Random } from '../faults/random.ts';
import type { Unit } from './bare-statements.ts';
import { plainRequest } from './bearer-request.ts';
import { consignee, orderBody, orderedSkuIds, skuIdsOf } from './order-shapes.ts';
import { sendAll } from './send-all.ts';
import { signedRequest } from './signed-request.ts';
import { plenty, stockUp } from './stock-up.ts';

export const stockSkuIds = Array.from({ length: 1000 }, (_, index) => `STOCK-${index}`);
const expireDates = ['2099-01-31', '2099-02-28', '2099-03-31'];
const qtyEach = 100;
const cancelledAtOnce = 100;

/** A kind of API request. Each request has a sequence number, so that none is a repeat. */
export interface ApiRequest {
  name: string;
  /** The number of requests that a full run measures. */
  count: number;
  /** Creates the documents that a number of requests need, once for the API and once for bare statements. */
  prepare?(port: number, count: number): Promise<void>;
  bytes(index: number): Buffer;
  /** The expected text in the response, and how often it occurs. */
  right: [words: string, times: number];
}

export type ApiRequestName =
  | 'order'
  | 'stock1'
  | 'stock100'
  | 'stock1000'
  | 'product'
  | 'inbound'
  | 'cancelOrders'
  | 'cancelInbounds'
  | 'shippingOrder';

/** Creates the products and the stock that all requests except stock queries need. */
export async function stockUpForOrders(url: string): Promise<void> {
  await stockUp(url, orderedSkuIds, ['2099-12-31'], plenty);
}

export async function stockUpForQueries(url: string): Promise<void> {
  await stockUp(url, stockSkuIds, expireDates, qtyEach);
}

export function makeApiRequests(random: Random): Record<ApiRequestName, ApiRequest> {
  return {
    order: {
      name: 'outbound/create, two lines',
      count: 1000,
      bytes: (index) => signedRequest('outbound/create', orderBody('spread', `A-${index}`, random)),
      right: ['"idempotent":false', 1],
    },
    stock1: stockQuery(1),
    stock100: stockQuery(100),
    stock1000: stockQuery(1000),
    product: {
      name: 'product/sync, a new product',
      count: 1000,
      bytes: (index) =>
        signedRequest('product/sync', { sku_id: `NEW-A-${index}`, sku_name: `Bench NEW-A-${index}`, storage_type: 1 }),
      right: ['"products_id":', 1],
    },
    inbound: {
      name: 'inbound/create, two lines',
      count: 1000,
      bytes: (index) => inboundRequest(`IN-A-${index}`, twoUnits(random)),
      right: ['"stock_in_no":', 1],
    },
    cancelOrders: {
      name: `outbound/cancel, ${cancelledAtOnce} orders of two lines`,
      count: 60,
      prepare: (port, count) =>
        sendAll(
          port,
          numbersForBoth('OUT', count).map((number) =>
            signedRequest('outbound/create', orderBody('spread', number, random)),
          ),
        ),
      bytes: (index) => signedRequest('outbound/cancel', { outbound_short_ids: cancelledNumbers('OUT-A', index) }),
      right: ['"status":"cancelled"', cancelledAtOnce],
    },
    cancelInbounds: {
      name: `inbound/cancel, ${cancelledAtOnce} documents of two lines`,
      count: 60,
      prepare: (port, count) =>
        sendAll(
          port,
          numbersForBoth('BACK', count).map((number) => inboundRequest(number, twoUnits(random))),
        ),
      bytes: (index) => signedRequest('inbound/cancel', { inbound_short_ids: cancelledNumbers('BACK-A', index) }),
      right: ['"status":"cancelled"', cancelledAtOnce],
    },
    shippingOrder: {
      name: 'logistics order, two items',
      count: 1000,
      bytes: (index) => shippingOrderRequest(`LA-${index}`, skuIdsOf('spread', random)),
      right: ['"idempotent":false', 1],
    },
  };
}

/** Returns an empty text for a correct response, otherwise a description. */
export function mistakeIn({ right: [words, times] }: ApiRequest, status: number, body: Buffer): string {
  const text = body.toString();
  return status === 200 && text.split(words).length - 1 === times ? '' : `${status} ${text.slice(0, 300)}`;
}

function stockQuery(count: number): ApiRequest {
  return {
    name: `stock/query, ${count} sku${count === 1 ? '' : 's'}`,
    count: count >= 1000 ? 300 : 1000,
    bytes: () => signedRequest('stock/query', { sku_ids: stockSkuIds.slice(0, count) }),
    right: [`"qty":${qtyEach},`, count * expireDates.length],
  };
}

/** The documents that one cancellation names. */
export function cancelledNumbers(prefix: string, index: number): string[] {
  return Array.from({ length: cancelledAtOnce }, (_, place) => `${prefix}-${index}-${place}`);
}

function numbersForBoth(prefix: string, count: number): string[] {
  return ['A', 'B'].flatMap((side) =>
    Array.from({ length: count }, (_, index) => cancelledNumbers(`${prefix}-${side}`, index)).flat(),
  );
}

export function twoUnits(random: Random): Unit[] {
  return skuIdsOf('spread', random).map((skuId) => ({ skuId, qty: 5 }));
}

function inboundRequest(number: string, units: Unit[]): Buffer {
  return signedRequest('inbound/create', {
    inbound_short_id: number,
    warehouse_tpw_id: faultAccount.tenant,
    details: units.map(({ skuId, qty }) => ({ sku_id: skuId, expires: [{ expire_date: '2099-12-31', qty }] })),
  });
}

function shippingOrderRequest(number: string, skuIds: string[]): Buffer {
  const { consignee_name, consignee_phone, consignee_address } = consignee;
  const body = {
    internal_name: number,
    name: number,
    customer_name: consignee_name,
    delivery_name: consignee_name,
    phone: consignee_phone,
    address: consignee_address,
    delivery_charge: 60,
    products: skuIds.map((sku) => ({ sku, quantity: 1, storage_type: 'ambient' })),
  };
  return plainRequest('/logistics/orders/order', body, { authorization: faultKey.apiKey });
}
