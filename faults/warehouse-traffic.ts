import type { InboundCreatedData, InboundDuplicateData } from '../contract/warehouse/inbound.ts';
import type { InboundCancelBody, InboundCancelData } from '../contract/warehouse/inbound-cancel.ts';
import type { InboundCreateBody } from '../contract/warehouse/inbound-create.ts';
import type { OutboundCancelBody, OutboundCancelData } from '../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody, OutboundCreateData } from '../contract/warehouse/outbound-create.ts';
import type { ProductSyncBody, ProductSyncData } from '../contract/warehouse/product-sync.ts';
import type { StockQueryBody, StockQueryData } from '../contract/warehouse/stock-query.ts';
import { faultAccount } from './child-process.ts';
import { noteSent, noteTold, pinned, type SentDocument } from './ledger.ts';
import { makeNewestDocuments } from './newest-documents.ts';
import type { Random } from './random.ts';
import type { Sender, TrafficTools } from './traffic.ts';

const hotSku = 'HOT';
const spreadSkus = Array.from({ length: 20 }, (_, index) => `SPREAD-${index}`);
const expireDates = ['2099-01-31', '2099-06-30', '2099-12-31'];
/** So that all of them fit into one query. */
const productsMax = 500;

export type StockOfSku = Map<string, { onHand: number; locked: number }>;

/** What a partner of the warehouse contract does. */
export function makeWarehouseTraffic({ ledger, nextNumber, skuIds, send, expectCancels }: TrafficTools) {
  const newestOrders = makeNewestDocuments();
  const newestInbounds = makeNewestDocuments();
  const newDocument = (documents: Map<string, SentDocument>, kind: string, units: SentDocument['units']) =>
    noteSent(documents, `${kind}-${nextNumber()}`, { units, isLogistics: false });

  async function syncProduct(sender: Sender, skuId: string): Promise<void> {
    const body: ProductSyncBody = { sku_id: skuId, sku_name: `Faults ${nextNumber()}`, storage_type: 1 };
    await send(sender, '/warehouse/v1/product/sync', body, (answer) => {
      const { products_id } = answer.data as ProductSyncData;
      const before = ledger.products.get(skuId);
      if (before !== undefined && before !== products_id) ledger.find('doubled', `sku ${skuId} is ${before} and ${products_id}`);
      ledger.products.set(skuId, products_id);
    });
  }

  async function createInbound(sender: Sender, document: SentDocument): Promise<void> {
    const body: InboundCreateBody = {
      inbound_short_id: document.number,
      warehouse_tpw_id: faultAccount.tenant,
      details: document.units.map(({ skuId, qty }) => ({
        sku_id: skuId,
        expires: [{ expire_date: sender.random.anyOf(expireDates), qty }],
      })),
    };
    await send(sender, '/warehouse/v1/inbound/create', body, (answer) => {
      if (answer.code !== 'LST-TPW-2000' && answer.code !== 'LST-TPW-2001') {
        ledger.find('wrong', `${document.number} was refused: ${answer.message}`);
        return;
      }
      const { stock_in_no, payload_differs } = answer.data as InboundCreatedData & InboundDuplicateData;
      if (document.told === null && document.number !== pinned.inbound) newestInbounds.add(document);
      noteTold(ledger, document, stock_in_no, { isNew: answer.status === 200, payloadDiffers: payload_differs ?? false });
    });
  }

  /** With a number that is known already, it is a repeat. */
  async function createOrder(sender: Sender, order: SentDocument): Promise<void> {
    const isKnown = order.told !== null;
    const body: OutboundCreateBody = {
      outbound_short_id: order.number,
      warehouse_tpw_id: faultAccount.tenant,
      consignee_country: 'TW',
      logistics_type: 'home',
      express_type: 'tcat',
      details: order.units.map(({ skuId, qty }) => ({ sku_id: skuId, qty })),
    };
    const created = send(sender, '/warehouse/v1/outbound/create', body, (answer) => {
      if (answer.status === 200) {
        const { orders_id, idempotent, payload_differs } = answer.data as OutboundCreateData;
        if (order.told === null) newestOrders.add(order);
        noteTold(ledger, order, orders_id, { isNew: !idempotent, payloadDiffers: payload_differs ?? false });
      } else if (isKnown) ledger.find('lost', `${order.number} is not known to its repeat: ${answer.message}`);
      else if (!isShortage(answer.message)) ledger.find('wrong', `${order.number} was refused: ${answer.message}`);
    });
    // Sometimes a cancel meets the order while it is being created.
    await Promise.all([created, ...(sender.random.oneIn(20) ? [cancelOrders({ ...sender, home: sender.home + 1 }, [order])] : [])]);
  }

  async function cancelOrders(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const body: OutboundCancelBody = { outbound_short_ids: orders.map((order) => order.number) };
    const takeResults = expectCancels(orders, ({ shipSent }) => (shipSent ? 'cannot_cancel_after_picking' : null));
    await send(sender, '/warehouse/v1/outbound/cancel', body, ({ data }) =>
      takeResults((data as OutboundCancelData).results.map(({ outbound_short_id, status }) => [outbound_short_id, status])),
    );
  }

  async function cancelInbounds(sender: Sender, documents: SentDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const body: InboundCancelBody = { inbound_short_ids: documents.map((document) => document.number) };
    // Their units may be promised to orders by now.
    const takeResults = expectCancels(documents, () => 'cannot_cancel_after_receiving');
    await send(sender, '/warehouse/v1/inbound/cancel', body, ({ data }) =>
      takeResults((data as InboundCancelData).results.map(({ stock_in_sn, status }) => [stock_in_sn, status])),
    );
  }

  async function queryStock(sender: Sender): Promise<StockOfSku> {
    const stock: StockOfSku = new Map([...ledger.products.keys()].map((skuId) => [skuId, { onHand: 0, locked: 0 }]));
    const body: StockQueryBody = { sku_ids: [...stock.keys()] };
    await send(sender, '/warehouse/v1/stock/query', body, (answer) => addUp(answer.data as StockQueryData, stock), false);
    return stock;
  }

  function addUp({ stock_details }: StockQueryData, stock: StockOfSku): void {
    const missing = new Set(stock.keys());
    for (const { sku_id, status, qty, qty_lock, qty_available } of stock_details) {
      const sum = stock.get(sku_id);
      missing.delete(sku_id);
      if (status !== 'ok') ledger.find('lost', `sku ${sku_id} is not registered`);
      if (!sum || qty_available !== qty - qty_lock) ledger.find('wrong', `stock of ${sku_id}: ${qty}, ${qty_lock}, ${qty_available}`);
      if (sum) {
        sum.onHand += qty;
        sum.locked += qty_lock;
      }
    }
    for (const skuId of missing) ledger.find('wrong', `stock of ${skuId} was asked for, and nothing was told`);
    lookAtPinned(stock);
  }

  function lookAtPinned(stock: StockOfSku): void {
    const { onHand, locked } = stock.get(pinned.skuId)!;
    ledger.pinnedTold++;
    if (onHand !== pinned.qty || locked !== 0)
      ledger.find(
        'wrong',
        `stock of ${pinned.skuId}, which nobody touches: ${onHand} on hand and ${locked} locked instead of ${pinned.qty} and 0`,
      );
  }

  async function anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const isRoomForProducts = ledger.products.size < productsMax;
    const dice = random.next();
    if (dice < 0.5) await createOrder(sender, newDocument(ledger.orders, 'OUT', orderUnits(random, skuIds())));
    else if (dice < 0.67) await createInbound(sender, newDocument(ledger.inbounds, 'IN', inboundUnits(random, skuIds())));
    else if (dice < 0.8) await cancelOrders(sender, newestOrders.some(random, 3));
    else if (dice < 0.85) await cancelInbounds(sender, newestInbounds.some(random, 3));
    else if (dice < 0.9) await syncProduct(sender, isRoomForProducts && random.oneIn(2) ? `NEW-${nextNumber()}` : random.anyOf(skuIds()));
    else if (dice < 0.95) await queryStock(sender);
    else await createOrder(sender, newestOrders.one(random) ?? newDocument(ledger.orders, 'OUT', orderUnits(random, skuIds())));
  }

  return {
    async prepare(sender: Sender): Promise<void> {
      for (const skuId of [hotSku, ...spreadSkus, pinned.skuId]) await syncProduct(sender, skuId);
      const units = [{ skuId: pinned.skuId, qty: pinned.qty }];
      await createInbound(sender, noteSent(ledger.inbounds, pinned.inbound, { units, isLogistics: false }));
    },
    anything,
    queryStock,
    someOrders: newestOrders.some,
  };
}

/** Two lines, mostly of the sku that everybody wants and another one; sometimes both of the same. */
function orderUnits(random: Random, skuIds: string[]): SentDocument['units'] {
  const first = random.oneIn(3) ? random.anyOf(skuIds) : hotSku;
  const second = random.oneIn(10) ? first : random.anyOf(skuIds);
  return [first, second].map((skuId) => ({ skuId, qty: random.upTo(3) }));
}

/** Of the hot sku so little that it is always about to run out: that is where two orders could be promised the same unit. */
function inboundUnits(random: Random, skuIds: string[]): SentDocument['units'] {
  return [
    { skuId: hotSku, qty: random.upTo(3) },
    { skuId: random.anyOf(skuIds), qty: random.upTo(9) },
    { skuId: random.anyOf(skuIds), qty: random.upTo(9) },
  ];
}

function isShortage(message: string): boolean {
  const [, available, requested] = /^sku \S+ available=(\d+) < requested=(\d+)$/.exec(message) ?? [];
  return Number(available) < Number(requested);
}
