import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres/database.ts';
import {
  type AccountLanes,
  type GroupCommit,
  type GroupEvent,
  type GroupOperation,
  type GroupRequest,
  makeGroupCommit,
} from '../platform/postgres/group-commit.ts';
import type { Page, Search } from '../platform/postgres/keyset-search.ts';
import type { Sql } from '../platform/postgres/sql.ts';
import type { CallbackKey, FormatCallback, TestCallbackRules } from './callbacks/callback.ts';
import { findCallbackKeys, findCallbacks } from './callbacks/callback-search-queries.ts';
import { redeliverInBatches } from './callbacks/redeliver-callbacks.ts';
import { cancelInTurns } from './documents/cancel-in-turns.ts';
import { findSizesOfInbounds, makeCancelInbounds } from './inbound/cancel-inbounds.ts';
import { makeCreateInboundForms } from './inbound/create-inbound-forms.ts';
import { makeCreateInbounds, makeSubmitInbound } from './inbound/create-inbounds.ts';
import { inboundFormDigest } from './inbound/inbound-form.ts';
import { findInbounds } from './inbound/inbound-search-queries.ts';
import { makePreviewInbounds } from './inbound/preview-inbounds.ts';
import { makeReceiveInbounds, makeSubmitReceipt } from './inbound/receive-inbounds.ts';
import { makeStopReceiving } from './inbound/stop-receiving.ts';
import { type RecipientSearch, recordSearch } from './operators/record-search.ts';
import { makeAdvanceOrders } from './orders/advance-orders.ts';
import { findSizesOfOrders, makeCancelOrders } from './orders/cancel-orders.ts';
import { changeOrders } from './orders/change-orders.ts';
import { makeCreateOrders, makeSubmitOrder } from './orders/create-orders.ts';
import { makeCreateShippingOrders } from './orders/create-shipping-orders.ts';
import { findOrders } from './orders/order-search-queries.ts';
import { makePreviewOrders } from './orders/preview-orders.ts';
import { shippingOrderDigest } from './orders/shipping-order.ts';
import type { AccountDirectory, KnownAccount } from './partners/account-directory.ts';
import type { KnownKey } from './partners/logistics-key-directory.ts';
import { changeProducts, type ProductsChange } from './products/change-products.ts';
import { makeProductDirectory, type ProductDirectory } from './products/product-directory.ts';
import { findProducts } from './products/product-search-queries.ts';
import { syncProducts } from './products/sync-products.ts';
import { type Adjustment, adjustStock } from './stock/adjust-stock.ts';
import { type Move, moveStock } from './stock/move-stock.ts';
import type { Cause } from './stock/movement.ts';
import { makeQueryStock, makeSearchStock } from './stock/query-stock.ts';
import { makeSendTestCallback } from './test-callbacks/send-test-callback.ts';
import { makeSubmitChanges } from './transfers/submit-changes.ts';

export type DomainOperations = ReturnType<typeof makeDomainOperations>;

/** The operations of the APIs. Each kind of change has its own groups and its own connections. */
export function makeDomainOperations(parts: {
  database: Database;
  directory: AccountDirectory;
  clock: Clock;
  keyring: Keyring;
  metrics: Metrics;
  formatCallback: FormatCallback;
  testRules: TestCallbackRules;
  accountLanes: AccountLanes;
}) {
  const { database, directory, clock, keyring, metrics, formatCallback, testRules, accountLanes } = parts;
  const groups: GroupCommit<never, unknown>[] = [];
  const products = makeProductDirectory(database);
  const notifying = { clock, formatCallback };
  const queryStock = makeQueryStock({ database, directory, clock });

  function grouped<Request extends GroupRequest, Outcome>(operation: GroupOperation<Request, Outcome>) {
    const group = makeGroupCommit(database, operation, accountLanes, (event) => count(event, metrics));
    groups.push(group);
    return group.submit;
  }

  return {
    syncProduct: grouped(syncProducts),
    submitInbound: makeSubmitInbound({ directory, products, create: grouped(makeCreateInbounds(notifying)) }),
    cancelInbounds: cancelInTurns(findSizesOfInbounds(database), grouped(makeCancelInbounds(notifying))),
    submitReceipt: makeSubmitReceipt({ products, receive: grouped(makeReceiveInbounds(notifying)) }),
    submitOrder: makeSubmitOrder({ directory, products, clock, create: grouped(makeCreateOrders({ keyring })) }),
    cancelOrders: cancelInTurns(findSizesOfOrders(database), grouped(makeCancelOrders(notifying))),
    changeOrders: makeSubmitChanges({ database, change: grouped(changeOrders) }),
    advanceOrders: grouped(makeAdvanceOrders(notifying)),
    submitShippingOrder: submitting(
      products,
      shippingOrderDigest,
      grouped(makeCreateShippingOrders({ clock, keyring })),
    ),
    submitInboundForm: submitting(products, inboundFormDigest, grouped(makeCreateInboundForms(notifying))),
    stopReceiving: makeStopReceiving({ database, ...notifying }),
    queryStock,
    previewOrders: makePreviewOrders({ database, directory, products, keyring, queryStock }),
    findUnknownSkus: makeFindUnknownSkus(products),
    previewInbounds: makePreviewInbounds({ database, directory, products }),
    searchStocks: makeSearchStock(database, clock),
    changeProducts: (asked: ProductsChange) => changeProducts(database, asked),
    adjustStock: (adjustment: Adjustment) => adjustStock(database, adjustment),
    moveStock: (move: Move) => moveStock(database, move),
    ...makeSearches(database),
    sendTestCallback: makeSendTestCallback({ database, testRules, ...notifying }),
    redeliver: (callbacks: CallbackKey[]) => redeliverInBatches(database, callbacks),
    /** Requests that wait for their group. */
    waiting: () => groups.reduce((sum, group) => sum + group.waiting(), 0),
    async close() {
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}

/** The skus that are not registered. */
function makeFindUnknownSkus(products: ProductDirectory) {
  return async (accountId: number, skuIds: string[]): Promise<Set<string>> => {
    const lines = [...new Set(skuIds)].map((skuId) => ({ skuId }));
    const found = await products.withProductIds(accountId, lines);
    return new Set(found.filter(({ productId }) => productId === null).map(({ skuId }) => skuId));
  };
}

/** The lists of the main API. */
function makeSearches(database: Database) {
  function searching<Found>(find: (sql: Sql, search: Search) => Promise<Page<Found>>) {
    return (account: KnownAccount, search: Search) => database.read([account.accountId], (sql) => find(sql, search));
  }

  return {
    searchProducts: searching(findProducts),
    searchOrders: searching(findOrders),
    searchInbounds: searching(findInbounds),
    searchCallbacks: searching(findCallbacks),
    recordSearch: <Found extends { rows: unknown[] } | null>(use: RecipientSearch, search: () => Promise<Found>) =>
      recordSearch(database, use, search),
    findCallbackKeys: (search: Pick<Search, 'accountIds' | 'filters'>, limit: number) =>
      database.read(search.accountIds, (sql) => findCallbackKeys(sql, search, limit)),
  };
}

/** A document as a logistics system sent it. */
interface SubmittedDocument<Content> {
  key: KnownKey;
  partnerNumber: string;
  content: Content;
  cause: Cause;
}

interface LogisticsRequest<Content extends { items: { skuId: string }[] }> {
  accountId: number;
  key: KnownKey;
  partnerNumber: string;
  payloadDigest: string;
  content: Omit<Content, 'items'>;
  lines: (Content['items'][number] & { productId: number | null })[];
  cause: Cause;
}

/** Looks up the registered products, then creates the document with the next group. */
function submitting<Content extends { items: { skuId: string }[] }, Outcome>(
  products: ProductDirectory,
  digestOf: (content: Content) => string,
  create: (request: LogisticsRequest<Content>) => Promise<Outcome>,
) {
  return async ({ content, ...named }: SubmittedDocument<Content>): Promise<Outcome> => {
    const { items, ...rest } = content;
    const { accountId } = named.key;
    const lines = await products.withProductIds<Content['items'][number]>(accountId, items);
    return await create({ ...named, accountId, payloadDigest: digestOf(content), content: rest, lines });
  };
}

function count(event: GroupEvent, metrics: Metrics): void {
  const { operation, kind } = event;
  if (kind === 'formed') metrics.groupSize.observe({ operation }, event.size);
  else metrics.groupTroubles.inc({ operation, trouble: kind });
}
