import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { stocksSearch } from '../../../contract/main/stocks-search.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { Cursors } from '../../http/cursor.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { makePerKeyLimiter, shareOf } from '../../platform/limits/per-key-limiter.ts';
import type { SharedCounts } from '../../platform/limits/shared-counts.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import { guardedWebAddress } from '../callback-url.ts';
import { callbacksRedeliver } from './callbacks-redeliver.ts';
import { callbacksFormat } from './callbacks-search.ts';
import { callbacksTest } from './callbacks-test.ts';
import { fulfilmentAdvance } from './fulfilment-advance.ts';
import { inboundsCancel } from './inbounds-cancel.ts';
import { inboundsReceive } from './inbounds-receive.ts';
import { inboundsFormat } from './inbounds-search.ts';
import { inboundsStop } from './inbounds-stop.ts';
import type { MainCaller } from './main-contract.ts';
import { ordersCancel } from './orders-cancel.ts';
import { ordersCreate } from './orders-create.ts';
import { ordersHold } from './orders-hold.ts';
import { ordersRelease } from './orders-release.ts';
import { ordersFormat } from './orders-search.ts';
import { ordersUpdate } from './orders-update.ts';
import { productsFormat } from './products-search.ts';
import { productsUpdate } from './products-update.ts';
import { searchList } from './search-list.ts';
import { stocksAdjust } from './stocks-adjust.ts';
import { stocksMove } from './stocks-move.ts';
import { stocksFormat } from './stocks-search.ts';

/**
 * Limits concurrent searches per account: a search may take PostgreSQL 20 ms, and one account must not slow down the
 * orders of others.
 */
const searchTurns = { atOnce: 2, waitingMax: 100, waitMaxMs: 1000 };

export function mainEndpoints(
  operations: DomainOperations,
  cursors: Cursors,
  counts: SharedCounts,
  guard: AddressGuard,
): Endpoint<MainCaller>[] {
  const { recordSearch } = operations;
  const parts = { cursors, inTurn: makePerKeyLimiter(shareOf(searchTurns, counts)), recordSearch };
  return [
    searchList(stocksSearch, stocksFormat, { searchRows: operations.searchStocks, ...parts }),
    searchList(productsSearch, productsFormat, { searchRows: operations.searchProducts, ...parts }),
    searchList(ordersSearch, ordersFormat, { searchRows: operations.searchOrders, ...parts }),
    searchList(inboundsSearch, inboundsFormat, { searchRows: operations.searchInbounds, ...parts }),
    searchList(callbacksSearch, callbacksFormat, { searchRows: operations.searchCallbacks, ...parts }),
    ordersCreate(operations),
    ordersCancel(operations),
    ordersUpdate(operations),
    ordersHold(operations),
    ordersRelease(operations),
    inboundsReceive(operations),
    inboundsStop(operations),
    inboundsCancel(operations),
    fulfilmentAdvance(operations),
    callbacksRedeliver(operations),
    productsUpdate(operations),
    stocksAdjust(operations),
    stocksMove(operations),
    callbacksTest(operations, guardedWebAddress(guard)),
  ];
}
