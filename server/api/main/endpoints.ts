import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { stocksSearch } from '../../../contract/main/stocks-search.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import { makeTurns } from '../../platform/turns.ts';
import type { Endpoint } from '../contract.ts';
import type { Cursors } from '../cursor.ts';
import { callbacksRedeliver, type RedeliverOperations } from './callbacks-redeliver.ts';
import { fulfilmentAdvance } from './fulfilment-advance.ts';
import { callbacksWording } from './get-callbacks.ts';
import { inboundsWording } from './get-inbounds.ts';
import { ordersWording } from './get-orders.ts';
import { productsWording } from './get-products.ts';
import { stocksWording } from './get-stocks.ts';
import { inboundsCancel } from './inbounds-cancel.ts';
import { inboundsReceive } from './inbounds-receive.ts';
import { inboundsStop } from './inbounds-stop.ts';
import type { MainCaller } from './main-contract.ts';
import { ordersCancel } from './orders-cancel.ts';
import { ordersCreate } from './orders-create.ts';
import { type SearchListWording, searchList } from './search-list.ts';

type Takes<Make extends (operation: never) => unknown> = Parameters<Make>[0];
type Finds<Wording> =
  Wording extends SearchListWording<infer _List, infer Found>
    ? (account: MainCaller['account'], search: Search) => Promise<Page<Found>>
    : never;

/** What this contract needs to have done. */
export interface MainOperations extends RedeliverOperations {
  takeOrder: Takes<typeof ordersCreate>;
  cancelOrders: Takes<typeof ordersCancel>;
  takeReceipt: Takes<typeof inboundsReceive>;
  stopReceiving: Takes<typeof inboundsStop>;
  cancelInbounds: Takes<typeof inboundsCancel>;
  advanceOrders: Takes<typeof fulfilmentAdvance>;
  searchStocks: Finds<typeof stocksWording>;
  searchProducts: Finds<typeof productsWording>;
  searchOrders: Finds<typeof ordersWording>;
  searchInbounds: Finds<typeof inboundsWording>;
  searchCallbacks: Finds<typeof callbacksWording>;
}

/** A search may cost PostgreSQL 20 ms: an account that asks without end must not take its time from the others' orders. */
const searchTurns = { atOnce: 2, waitingMax: 100, waitMaxMs: 1000 };

export function mainEndpoints(operations: MainOperations, cursors: Cursors): Endpoint<MainCaller>[] {
  const parts = { cursors, inTurn: makeTurns(searchTurns) };
  return [
    searchList(stocksSearch, stocksWording, { searchRows: operations.searchStocks, ...parts }),
    searchList(productsSearch, productsWording, { searchRows: operations.searchProducts, ...parts }),
    searchList(ordersSearch, ordersWording, { searchRows: operations.searchOrders, ...parts }),
    searchList(inboundsSearch, inboundsWording, { searchRows: operations.searchInbounds, ...parts }),
    searchList(callbacksSearch, callbacksWording, { searchRows: operations.searchCallbacks, ...parts }),
    ordersCreate(operations.takeOrder),
    ordersCancel(operations.cancelOrders),
    inboundsReceive(operations.takeReceipt),
    inboundsStop(operations.stopReceiving),
    inboundsCancel(operations.cancelInbounds),
    fulfilmentAdvance(operations.advanceOrders),
    callbacksRedeliver(operations),
  ];
}
