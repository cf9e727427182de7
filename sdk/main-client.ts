import { AccessToken, type Credentials } from './access-token.ts';
import { retvalOf } from './done-envelope.ts';
import { type BatchReply, batchesOf, type Reply, replyOf, sendInTurn } from './reply.ts';
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
  searchPage<List extends keyof SearchLists>(
    list: List,
    search: SearchLists[List]['search'] = {},
    options?: CallOptions,
  ): Reply<SearchPage<SearchLists[List]['row']>> {
    return this.#call(searchPaths[list], search, { ...options, repeatable });
  }

  ordersCreate(body: OutboundCreateBody, options?: CallOptions): Reply<OrdersCreateRetval> {
    return this.#call('/orders/create', body, { ...options, repeatable });
  }

  /**
   * Returns one result per number, those of `outbound_short_ids` first; more than 100 are split into several requests.
   */
  ordersCancel(
    { outbound_short_ids, internal_names }: OrdersCancelBody,
    options?: CallOptions,
  ): BatchReply<OrdersCancelResult> {
    const bodies = [
      ...batchesOf(outbound_short_ids ?? [], batchMax).map((batch) => ({ outbound_short_ids: batch })),
      ...batchesOf(internal_names ?? [], batchMax).map((batch) => ({ internal_names: batch })),
    ];
    return sendInTurn(bodies, (body) => this.#results<OrdersCancelResult>('/orders/cancel', body, options));
  }

  /** Returns one result per order, in the order given; more than 100 are split into several consecutive requests. */
  ordersUpdate(orders: readonly OrderUpdate[], options?: CallOptions): BatchReply<OrdersUpdateResult> {
    return this.#ordersInTurn('/orders/update', orders, options);
  }

  /** Orders on hold are not handed over to their warehouse. Returns one result per order. */
  ordersHold(orders: readonly OrderHold[], options?: CallOptions): BatchReply<OrdersHoldResult> {
    return this.#ordersInTurn('/orders/hold', orders, options);
  }

  ordersRelease(orders: readonly OrderRelease[], options?: CallOptions): BatchReply<OrdersReleaseResult> {
    return this.#ordersInTurn('/orders/release', orders, options);
  }

  /** Reports received goods. Retried automatically only with a `receipt_no`: without one, every request adds units. */
  inboundsReceive(body: InboundsReceiveBody, options?: CallOptions): Reply<InboundsReceiveRetval> {
    return this.#call('/inbounds/receive', body, { ...options, repeatable: Boolean(body.receipt_no) });
  }

  inboundsStop(body: InboundsStopBody, options?: CallOptions): Reply<InboundsStopRetval> {
    return this.#call('/inbounds/stop', body, { ...options, repeatable });
  }

  /**
   * Returns one result per number, those of `inbound_short_ids` first; more than 100 are split into several requests.
   */
  inboundsCancel(
    { inbound_short_ids, form_nos }: InboundsCancelBody,
    options?: CallOptions,
  ): BatchReply<InboundsCancelResult> {
    const bodies = [
      ...batchesOf(inbound_short_ids ?? [], batchMax).map((batch) => ({ inbound_short_ids: batch })),
      ...batchesOf(form_nos ?? [], batchMax).map((batch) => ({ form_nos: batch })),
    ];
    return sendInTurn(bodies, (body) => this.#results<InboundsCancelResult>('/inbounds/cancel', body, options));
  }

  /** Returns one result per report, in the order given; more than 100 are split into several consecutive requests. */
  fulfilmentAdvance(orders: readonly AdvanceReport[], options?: CallOptions): BatchReply<AdvanceResult> {
    return this.#ordersInTurn('/fulfilment/advance', orders, options);
  }

  /** Redelivers callbacks; not retried after a timeout, because each request redelivers them again. */
  callbacksRedeliver(body: CallbacksRedeliverBody, options?: CallOptions): Reply<CallbacksRedeliverRetval> {
    return this.#call('/callbacks/redeliver', body, { ...options, repeatable: body.dry_run === true });
  }

  /** Sets barcodes and locations of products; a repeat has no further effect. */
  productsUpdate(body: ProductsUpdateBody, options?: CallOptions): Reply<ProductsUpdateRetval> {
    return this.#call('/products/update', body, { ...options, repeatable });
  }

  /** Adds or removes units of lots, or sets them to a count; a repeat with the same `reference_no` is safe. */
  stocksAdjust(body: StocksAdjustBody, options?: CallOptions): Reply<StocksAdjustRetval> {
    return this.#call('/stocks/adjust', body, { ...options, repeatable });
  }

  /** Moves free units between warehouses; a repeat with the same `reference_no` is safe. */
  stocksMove(body: StocksMoveBody, options?: CallOptions): Reply<StocksMoveRetval> {
    return this.#call('/stocks/move', body, { ...options, repeatable });
  }

  /** Sends a callback for an event that has not happened; each request sends another one. */
  callbacksTest(body: CallbackTestBody, options?: CallOptions): Reply<CallbackTestRetval> {
    return this.#call('/callbacks/test', body, { ...options, repeatable: false });
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

  #ordersInTurn<Entry, Result>(path: string, orders: readonly Entry[], options?: CallOptions): BatchReply<Result> {
    return sendInTurn(batchesOf(orders, batchMax), (batch) => this.#results(path, { orders: batch }, options));
  }

  #results<Result>(path: string, body: object, options?: CallOptions): Reply<Result[]> {
    const answering = this.#send(path, body, { ...options, repeatable });
    return replyOf(answering, (answer) => retvalOf<{ results: Result[] }>(answer).results);
  }

  #call<Retval>(path: string, body: object, options: CallOptions & { repeatable: boolean }): Reply<Retval> {
    return replyOf(this.#send(path, body, options), retvalOf<Retval>);
  }

  async #send(path: string, body: object, options: CallOptions & { repeatable: boolean }): Promise<Answer> {
    let used = '';
    const headers = async () => {
      used = await this.#accessToken.current(options.signal);
      return { authorization: `Bearer ${used}` };
    };
    const call = { ...options, path: `/api/v2/default${path}`, body, headers };
    const answer = await send(this.#options, call);
    if (answer.status !== 401) return answer;
    this.#accessToken.forget(used);
    return await send(this.#options, call);
  }
}
