import type { WordCallback } from './domain/callbacks/callback.ts';
import { findCallbackIds, findCallbacks } from './domain/callbacks/callback-search-queries.ts';
import { redeliverInBatches } from './domain/callbacks/redeliver-callbacks.ts';
import { makeCancelInbounds } from './domain/inbound/cancel-inbounds.ts';
import { makeCreateInboundForms } from './domain/inbound/create-inbound-forms.ts';
import { createInbounds } from './domain/inbound/create-inbounds.ts';
import { findInbounds } from './domain/inbound/inbound-search-queries.ts';
import { makeReceiveInbounds } from './domain/inbound/receive-inbounds.ts';
import { makeStopReceiving } from './domain/inbound/stop-receiving.ts';
import { makeTakeInbound } from './domain/inbound/take-inbound.ts';
import { makeTakeInboundForm } from './domain/inbound/take-inbound-form.ts';
import { makeTakeReceipt } from './domain/inbound/take-receipt.ts';
import { makeAdvanceOrders } from './domain/orders/advance-orders.ts';
import { makeCancelOrders } from './domain/orders/cancel-orders.ts';
import { createOrders } from './domain/orders/create-orders.ts';
import { makeCreateShippingOrders } from './domain/orders/create-shipping-orders.ts';
import { findOrders } from './domain/orders/order-search-queries.ts';
import { makeTakeOrder } from './domain/orders/take-order.ts';
import { makeTakeShippingOrder } from './domain/orders/take-shipping-order.ts';
import type { AccountDirectory, KnownAccount } from './domain/partners/account-directory.ts';
import { makeProductDirectory } from './domain/products/product-directory.ts';
import { findProducts } from './domain/products/product-search-queries.ts';
import { syncProducts } from './domain/products/sync-products.ts';
import { makeQueryStock, makeSearchStock } from './domain/stock/query-stock.ts';
import type { Clock } from './platform/clock.ts';
import type { Database, Sql } from './platform/database.ts';
import { type GroupCommit, type GroupEvent, type GroupOperation, type GroupRequest, makeGroupCommit } from './platform/group-commit.ts';
import type { Page, Search } from './platform/keyset-search.ts';
import type { Metrics } from './platform/metrics.ts';

export type DomainOperations = ReturnType<typeof makeDomainOperations>;

/** What the APIs have done: each kind of change has its own groups, on a connection of its own. */
export function makeDomainOperations(parts: {
  database: Database;
  directory: AccountDirectory;
  clock: Clock;
  metrics: Metrics;
  wordCallback: WordCallback;
}) {
  const { database, directory, clock, metrics, wordCallback } = parts;
  const groups: GroupCommit<never, unknown>[] = [];
  const products = makeProductDirectory(database);

  function grouped<Request extends GroupRequest, Outcome>(operation: GroupOperation<Request, Outcome>) {
    const group = makeGroupCommit(database, operation, (event) => count(event, metrics));
    groups.push(group);
    return group.submit;
  }

  function searching<Found>(find: (sql: Sql, search: Search) => Promise<Page<Found>>) {
    return (_account: KnownAccount, search: Search) => database.read((sql) => find(sql, search));
  }

  return {
    syncProduct: grouped(syncProducts),
    takeInbound: makeTakeInbound({ directory, products, submit: grouped(createInbounds) }),
    cancelInbounds: grouped(makeCancelInbounds({ clock, wordCallback })),
    takeReceipt: makeTakeReceipt({ products, submit: grouped(makeReceiveInbounds({ clock, wordCallback })) }),
    takeOrder: makeTakeOrder({ directory, products, clock, submit: grouped(createOrders) }),
    cancelOrders: grouped(makeCancelOrders({ clock, wordCallback })),
    advanceOrders: grouped(makeAdvanceOrders({ clock, wordCallback })),
    takeShippingOrder: makeTakeShippingOrder({ products, submit: grouped(makeCreateShippingOrders({ clock })) }),
    takeInboundForm: makeTakeInboundForm({ products, submit: grouped(makeCreateInboundForms({ clock, wordCallback })) }),
    stopReceiving: makeStopReceiving({ database, clock, wordCallback }),
    queryStock: makeQueryStock({ database, directory, clock }),
    searchStocks: makeSearchStock(database, clock),
    searchProducts: searching(findProducts),
    searchOrders: searching(findOrders),
    searchInbounds: searching(findInbounds),
    searchCallbacks: searching(findCallbacks),
    findCallbackIds: (search: Pick<Search, 'accountIds' | 'filters'>, limit: number) =>
      database.read((sql) => findCallbackIds(sql, search, limit)),
    redeliver: (callbackIds: number[]) => redeliverInBatches(database, callbackIds),
    /** Requests that wait for their group. */
    waiting: () => groups.reduce((sum, group) => sum + group.waiting(), 0),
    async close() {
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}

function count(event: GroupEvent, metrics: Metrics): void {
  const { operation, kind } = event;
  if (kind === 'formed') metrics.groupSize.observe({ operation }, event.size);
  else metrics.groupTroubles.inc({ operation, trouble: kind });
}
