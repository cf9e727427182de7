import { AccessToken, type Credentials } from './access-token.ts';
import { inBatches } from './batches.ts';
import { retvalOf } from './done-envelope.ts';
import { requireTexts } from './required.ts';
import { type Answer, type CallOptions, type ClientOptions, send } from './send.ts';
import type {
  AdvanceReport,
  AdvanceResult,
  CallbackRow,
  CallbacksRedeliverBody,
  CallbacksRedeliverRetval,
  CallbacksSearch,
  CallbackTestBody,
  CallbackTestRetval,
  InboundRow,
  InboundsCancelBody,
  InboundsCancelResult,
  InboundsReceiveBody,
  InboundsReceiveRetval,
  InboundsSearch,
  InboundsStopBody,
  InboundsStopRetval,
  OrderHold,
  OrderRelease,
  OrderRow,
  OrdersCancelBody,
  OrdersCancelResult,
  OrdersCreateRetval,
  OrdersHoldResult,
  OrdersReleaseResult,
  OrdersSearch,
  OrdersUpdateResult,
  OrderUpdate,
  OutboundCreateBody,
  ProductRow,
  ProductsSearch,
  ProductsUpdateBody,
  ProductsUpdateRetval,
  StockRow,
  StocksAdjustBody,
  StocksAdjustRetval,
  StocksMoveBody,
  StocksMoveRetval,
  StocksSearch,
} from './wire.ts';

export interface MainClientOptions extends ClientOptions, Credentials {}

/** Each search list with the type of its search and of its rows. */
export interface SearchLists {
  stocks: { search: StocksSearch; row: StockRow };
  products: { search: ProductsSearch; row: ProductRow };
  orders: { search: OrdersSearch; row: OrderRow };
  inbounds: { search: InboundsSearch; row: InboundRow };
  callbacks: { search: CallbacksSearch; row: CallbackRow };
}

export interface SearchPage<Row> {
  rows: Row[];
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
  /** Number of matching rows on all pages, up to 10,000; only if the search has `total: true`. */
  total?: number;
  /** `true`: there are, or may be, more rows than `total`; only if the search has `total: true`. */
  total_is_more?: boolean;
}

const searchPaths: Record<keyof SearchLists, string> = {
  stocks: '/getStocksData/searchList',
  products: '/getProductsData/searchList',
  orders: '/getOrdersData/searchList',
  inbounds: '/getInboundsData/searchList',
  callbacks: '/getCallbacksData/searchList',
};

const batchMax = 100;
const repeatable = true;

/**
 * The main API. The client gets its access token automatically, caches it until shortly before it expires, and renews
 * it once if it is rejected.
 */
export class MainClient {
  readonly #options: MainClientOptions;
  readonly #accessToken: AccessToken;

  constructor(options: MainClientOptions) {
    requireTexts(options, 'clientId', 'checkValue');
    this.#options = options;
    this.#accessToken = new AccessToken(options);
  }

  /** Stock by lot. */
  searchStocks(search: StocksSearch = {}, options?: CallOptions): AsyncGenerator<StockRow, void> {
    return this.#search('stocks', search, options);
  }

  searchProducts(search: ProductsSearch = {}, options?: CallOptions): AsyncGenerator<ProductRow, void> {
    return this.#search('products', search, options);
  }

  /** Orders from all channels. */
  searchOrders(search: OrdersSearch = {}, options?: CallOptions): AsyncGenerator<OrderRow, void> {
    return this.#search('orders', search, options);
  }

  searchInbounds(search: InboundsSearch = {}, options?: CallOptions): AsyncGenerator<InboundRow, void> {
    return this.#search('inbounds', search, options);
  }

  /** Callbacks and their attempts. */
  searchCallbacks(search: CallbacksSearch = {}, options?: CallOptions): AsyncGenerator<CallbackRow, void> {
    return this.#search('callbacks', search, options);
  }

  /** One page of a search list. `total: true` in the search adds `total` and `total_is_more`. */
  async searchPage<List extends keyof SearchLists>(
    list: List,
    search: SearchLists[List]['search'] = {},
    options?: CallOptions,
  ): Promise<SearchPage<SearchLists[List]['row']>> {
    return await this.#call(searchPaths[list], search, { ...options, repeatable });
  }

  async ordersCreate(body: OutboundCreateBody, options?: CallOptions): Promise<OrdersCreateRetval> {
    return await this.#call('/orders/create', body, { ...options, repeatable });
  }

  /**
   * Returns one result per number, those of `outbound_short_ids` first; more than 100 are split into several requests.
   */
  async ordersCancel(
    { outbound_short_ids, internal_names }: OrdersCancelBody,
    options?: CallOptions,
  ): Promise<OrdersCancelResult[]> {
    const cancel = (body: OrdersCancelBody) => this.#results<OrdersCancelResult>('/orders/cancel', body, options);
    return [
      ...(await inBatches(outbound_short_ids ?? [], batchMax, (batch) => cancel({ outbound_short_ids: batch }))),
      ...(await inBatches(internal_names ?? [], batchMax, (batch) => cancel({ internal_names: batch }))),
    ];
  }

  /** Returns one result per order, in the order given; more than 100 are split into several consecutive requests. */
  async ordersUpdate(orders: readonly OrderUpdate[], options?: CallOptions): Promise<OrdersUpdateResult[]> {
    return await inBatches(orders, batchMax, (batch) => this.#results('/orders/update', { orders: batch }, options));
  }

  /** Orders on hold are not handed over to their warehouse. Returns one result per order. */
  async ordersHold(orders: readonly OrderHold[], options?: CallOptions): Promise<OrdersHoldResult[]> {
    return await inBatches(orders, batchMax, (batch) => this.#results('/orders/hold', { orders: batch }, options));
  }

  async ordersRelease(orders: readonly OrderRelease[], options?: CallOptions): Promise<OrdersReleaseResult[]> {
    return await inBatches(orders, batchMax, (batch) => this.#results('/orders/release', { orders: batch }, options));
  }

  /** Reports received goods. Retried automatically only with a `receipt_no`: without one, every request adds units. */
  async inboundsReceive(body: InboundsReceiveBody, options?: CallOptions): Promise<InboundsReceiveRetval> {
    return await this.#call('/inbounds/receive', body, { ...options, repeatable: Boolean(body.receipt_no) });
  }

  async inboundsStop(body: InboundsStopBody, options?: CallOptions): Promise<InboundsStopRetval> {
    return await this.#call('/inbounds/stop', body, { ...options, repeatable });
  }

  /**
   * Returns one result per number, those of `inbound_short_ids` first; more than 100 are split into several requests.
   */
  async inboundsCancel(
    { inbound_short_ids, form_nos }: InboundsCancelBody,
    options?: CallOptions,
  ): Promise<InboundsCancelResult[]> {
    const cancel = (body: InboundsCancelBody) => this.#results<InboundsCancelResult>('/inbounds/cancel', body, options);
    return [
      ...(await inBatches(inbound_short_ids ?? [], batchMax, (batch) => cancel({ inbound_short_ids: batch }))),
      ...(await inBatches(form_nos ?? [], batchMax, (batch) => cancel({ form_nos: batch }))),
    ];
  }

  /** Returns one result per report, in the order given; more than 100 are split into several consecutive requests. */
  async fulfilmentAdvance(orders: readonly AdvanceReport[], options?: CallOptions): Promise<AdvanceResult[]> {
    return await inBatches(orders, batchMax, (batch) =>
      this.#results('/fulfilment/advance', { orders: batch }, options),
    );
  }

  /** Redelivers callbacks; not retried after a timeout, because each request redelivers them again. */
  async callbacksRedeliver(body: CallbacksRedeliverBody, options?: CallOptions): Promise<CallbacksRedeliverRetval> {
    return await this.#call('/callbacks/redeliver', body, { ...options, repeatable: body.dry_run === true });
  }

  /** Sets barcodes and locations of products; a repeat has no further effect. */
  async productsUpdate(body: ProductsUpdateBody, options?: CallOptions): Promise<ProductsUpdateRetval> {
    return await this.#call('/products/update', body, { ...options, repeatable });
  }

  /** Adds or removes units of lots, or sets them to a count; a repeat with the same `reference_no` is safe. */
  async stocksAdjust(body: StocksAdjustBody, options?: CallOptions): Promise<StocksAdjustRetval> {
    return await this.#call('/stocks/adjust', body, { ...options, repeatable });
  }

  /** Moves free units between warehouses; a repeat with the same `reference_no` is safe. */
  async stocksMove(body: StocksMoveBody, options?: CallOptions): Promise<StocksMoveRetval> {
    return await this.#call('/stocks/move', body, { ...options, repeatable });
  }

  /** Sends a callback for an event that has not happened; each request sends another one. */
  async callbacksTest(body: CallbackTestBody, options?: CallOptions): Promise<CallbackTestRetval> {
    return await this.#call('/callbacks/test', body, { ...options, repeatable: false });
  }

  async *#search<List extends keyof SearchLists>(
    list: List,
    search: SearchLists[List]['search'],
    options?: CallOptions,
  ): AsyncGenerator<SearchLists[List]['row'], void> {
    let { cursor = null } = search;
    do {
      const page = await this.searchPage(list, cursor === null ? search : { ...search, cursor }, options);
      yield* page.rows;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  async #results<Result>(path: string, body: object, options?: CallOptions): Promise<Result[]> {
    return (await this.#call<{ results: Result[] }>(path, body, { ...options, repeatable })).results;
  }

  async #call<Retval>(path: string, body: object, options: CallOptions & { repeatable: boolean }): Promise<Retval> {
    let used = '';
    const headers = async () => {
      used = await this.#accessToken.current(options.signal);
      return { authorization: `Bearer ${used}` };
    };
    const tryOnce = (): Promise<Answer> =>
      send(this.#options, { ...options, path: `/api/v2/default${path}`, body, headers });
    const answer = await tryOnce();
    if (answer.status !== 401) return retvalOf(answer);
    this.#accessToken.forget(used);
    return retvalOf(await tryOnce());
  }
}
