import type { InboundCreatedData, InboundDuplicateData } from '../contract/warehouse/inbound.ts';
import type { InboundCancelBody, InboundCancelData } from '../contract/warehouse/inbound-cancel.ts';
import type { InboundCreateBody } from '../contract/warehouse/inbound-create.ts';
import type { OutboundCancelBody, OutboundCancelData } from '../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody, OutboundCreateData } from '../contract/warehouse/outbound-create.ts';
import type { ProductSyncBody, ProductSyncData } from '../contract/warehouse/product-sync.ts';
import type { StockQueryBody, StockQueryData } from '../contract/warehouse/stock-query.ts';
import { faultAccount } from './child-process.ts';
import type { ContractAnswer } from './contract-answer.ts';
import { growing, type Ledger, noteResponse, noteSent, pinned, type SentDocument } from './ledger.ts';
import { makeNewestDocuments } from './newest-documents.ts';
import type { Random } from './random.ts';
import type { Sender, TrafficTools } from './traffic-tools.ts';

const hotSku = 'HOT';
const spreadSkus = Array.from({ length: 20 }, (_, index) => `SPREAD-${index}`);
const expireDates = ['2099-01-31', '2099-06-30', '2099-12-31'];
/** The maximum number of skus in one stock query. */
const productsMax = 500;

export type StockOfSku = Map<string, { onHand: number; locked: number }>;

/** Random calls of a partner that uses the warehouse contract. */
export class WarehouseTraffic {
  private readonly tools: TrafficTools;
  private readonly ledger: Ledger;
  private readonly newestOrders = makeNewestDocuments();
  private readonly newestInbounds = makeNewestDocuments();

  constructor(tools: TrafficTools) {
    this.tools = tools;
    this.ledger = tools.ledger;
  }

  async prepare(sender: Sender): Promise<void> {
    for (const skuId of [hotSku, ...spreadSkus, pinned.skuId, growing.skuId]) await this.syncProduct(sender, skuId);
    const units = [{ skuId: pinned.skuId, qty: pinned.qty }];
    await this.createInbound(sender, noteSent(this.ledger.inbounds, pinned.inbound, { units, isLogistics: false }));
  }

  async anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const dice = random.next();
    if (dice < 0.5) await this.createOrder(sender, this.newOrder(random));
    else if (dice < 0.67) await this.createInbound(sender, this.newInbound(random));
    else if (dice < 0.8) await this.cancelOrders(sender, this.newestOrders.some(random, 3));
    else if (dice < 0.85) await this.cancelInbounds(sender, this.newestInbounds.some(random, 3));
    else if (dice < 0.9) await this.syncProduct(sender, this.newOrKnownSku(random));
    else if (dice < 0.95) await this.queryStock(sender);
    else await this.createOrder(sender, this.newestOrders.one(random) ?? this.newOrder(random));
  }

  someOrders(random: Random, max: number): SentDocument[] {
    return this.newestOrders.some(random, max);
  }

  async queryStock(sender: Sender): Promise<StockOfSku> {
    const { ledger } = this;
    const stock: StockOfSku = new Map([...ledger.products.keys()].map((skuId) => [skuId, { onHand: 0, locked: 0 }]));
    const body: StockQueryBody = { sku_ids: [...stock.keys()] };
    const grownBefore = ledger.grown;
    const take = ({ data }: ContractAnswer) => {
      addUp(data as StockQueryData, stock, ledger);
      checkPinned(stock, ledger);
      checkGrowing(stock, grownBefore, ledger);
    };
    await this.tools.send(sender, '/warehouse/v1/stock/query', body, take, false);
    return stock;
  }

  private newOrder(random: Random): SentDocument {
    const { nextNumber, skuIds } = this.tools;
    const units = orderUnits(random, skuIds());
    return noteSent(this.ledger.orders, `OUT-${nextNumber()}`, { units, isLogistics: false });
  }

  private newInbound(random: Random): SentDocument {
    const { nextNumber, skuIds } = this.tools;
    if (random.oneIn(6))
      return noteSent(this.ledger.inbounds, `${growing.inboundPrefix}${nextNumber()}`, {
        units: [{ skuId: growing.skuId, qty: 1 }],
        isLogistics: false,
      });
    const units = inboundUnits(random, skuIds());
    return noteSent(this.ledger.inbounds, `IN-${nextNumber()}`, { units, isLogistics: false });
  }

  private newOrKnownSku(random: Random): string {
    const { nextNumber, skuIds } = this.tools;
    const isRoomForProducts = this.ledger.products.size < productsMax;
    return isRoomForProducts && random.oneIn(2) ? `NEW-${nextNumber()}` : random.anyOf(skuIds());
  }

  private async syncProduct(sender: Sender, skuId: string): Promise<void> {
    const { ledger, tools } = this;
    const body: ProductSyncBody = { sku_id: skuId, sku_name: `Faults ${tools.nextNumber()}`, storage_type: 1 };
    await tools.send(sender, '/warehouse/v1/product/sync', body, (answer) => {
      const { products_id } = answer.data as ProductSyncData;
      const before = ledger.products.get(skuId);
      if (before !== undefined && before !== products_id)
        ledger.find('doubled', `sku ${skuId} is ${before} and ${products_id}`);
      ledger.products.set(skuId, products_id);
    });
  }

  private async createInbound(sender: Sender, document: SentDocument): Promise<void> {
    const body: InboundCreateBody = {
      inbound_short_id: document.number,
      warehouse_tpw_id: faultAccount.tenant,
      details: document.units.map(({ skuId, qty }) => ({
        sku_id: skuId,
        expires: [{ expire_date: sender.random.anyOf(expireDates), qty }],
      })),
    };
    await this.tools.send(sender, '/warehouse/v1/inbound/create', body, (answer) => {
      if (answer.code !== 'LST-TPW-2000' && answer.code !== 'LST-TPW-2001') {
        this.ledger.find('wrong', `${document.number} was rejected: ${answer.message}`);
        return;
      }
      const { stock_in_no, payload_differs = false } = answer.data as InboundCreatedData & InboundDuplicateData;
      if (document.knownAs === null) this.noteFirstResponse(document);
      noteResponse(this.ledger, document, stock_in_no, {
        isNew: answer.status === 200,
        payloadDiffers: payload_differs,
      });
    });
  }

  /** Inbound documents of the pinned and the growing sku are never cancelled. */
  private noteFirstResponse(inbound: SentDocument): void {
    if (inbound.number.startsWith(growing.inboundPrefix)) this.ledger.grown++;
    else if (inbound.number !== pinned.inbound) this.newestInbounds.add(inbound);
  }

  /** An order whose number the service already knows is a repeat. */
  private async createOrder(sender: Sender, order: SentDocument): Promise<void> {
    const isKnown = order.knownAs !== null;
    const body: OutboundCreateBody = {
      outbound_short_id: order.number,
      warehouse_tpw_id: faultAccount.tenant,
      consignee_country: 'TW',
      logistics_type: 'home',
      express_type: 'tcat',
      details: order.units.map(({ skuId, qty }) => ({ sku_id: skuId, qty })),
    };
    const created = this.tools.send(sender, '/warehouse/v1/outbound/create', body, (answer) =>
      this.takeOrder(order, isKnown, answer),
    );
    // Sometimes a cancellation arrives while the order is being created.
    const cancelled = sender.random.oneIn(20) ? this.cancelOrders({ ...sender, home: sender.home + 1 }, [order]) : null;
    await Promise.all([created, cancelled]);
  }

  private takeOrder(order: SentDocument, isKnown: boolean, { status, message, data }: ContractAnswer): void {
    const { ledger } = this;
    if (status === 200) {
      const { orders_id, idempotent, payload_differs = false } = data as OutboundCreateData;
      if (order.knownAs === null) this.newestOrders.add(order);
      noteResponse(ledger, order, orders_id, { isNew: !idempotent, payloadDiffers: payload_differs });
    } else if (isKnown) ledger.find('lost', `a repeat of ${order.number} did not find it: ${message}`);
    else if (!isShortage(message)) ledger.find('wrong', `${order.number} was rejected: ${message}`);
  }

  private async cancelOrders(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const { send, expectCancels } = this.tools;
    const body: OutboundCancelBody = { outbound_short_ids: orders.map((order) => order.number) };
    const takeResults = expectCancels(orders, ({ shipSent }) => (shipSent ? 'cannot_cancel_after_picking' : null));
    await send(sender, '/warehouse/v1/outbound/cancel', body, ({ data }) => {
      const { results } = data as OutboundCancelData;
      takeResults(results.map(({ outbound_short_id, status }) => [outbound_short_id, status]));
    });
  }

  private async cancelInbounds(sender: Sender, documents: SentDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const { send, expectCancels } = this.tools;
    const body: InboundCancelBody = { inbound_short_ids: documents.map((document) => document.number) };
    // Their units may have been allocated to orders.
    const takeResults = expectCancels(documents, () => 'cannot_cancel_after_receiving');
    await send(sender, '/warehouse/v1/inbound/cancel', body, ({ data }) => {
      const { results } = data as InboundCancelData;
      takeResults(results.map(({ stock_in_sn, status }) => [stock_in_sn, status]));
    });
  }
}

function addUp({ stock_details }: StockQueryData, stock: StockOfSku, ledger: Ledger): void {
  const missing = new Set(stock.keys());
  for (const { sku_id, status, qty, qty_lock, qty_available } of stock_details) {
    const sum = stock.get(sku_id);
    missing.delete(sku_id);
    if (status !== 'ok') ledger.find('lost', `sku ${sku_id} is not registered`);
    if (!sum || qty_available !== qty - qty_lock)
      ledger.find('wrong', `stock of ${sku_id}: ${qty}, ${qty_lock}, ${qty_available}`);
    if (sum) {
      sum.onHand += qty;
      sum.locked += qty_lock;
    }
  }
  for (const skuId of missing) ledger.find('wrong', `a stock query for ${skuId} did not return it`);
}

function checkPinned(stock: StockOfSku, ledger: Ledger): void {
  const { onHand, locked } = stock.get(pinned.skuId)!;
  ledger.pinnedReads++;
  if (onHand === pinned.qty && locked === 0) return;
  const actual = `${onHand} on hand and ${locked} locked instead of ${pinned.qty} and 0`;
  ledger.find('wrong', `stock of ${pinned.skuId}, which no caller changes: ${actual}`);
}

/** Less than before means that the response came from an older state, such as that of a former primary. */
function checkGrowing(stock: StockOfSku, grownBefore: number, ledger: Ledger): void {
  const { onHand } = stock.get(growing.skuId)!;
  if (onHand < grownBefore)
    ledger.find('lost', `stock of ${growing.skuId}: ${onHand} on hand, but ${grownBefore} had been acknowledged`);
}

/** Two lines: mostly the sku that all orders compete for and another one; sometimes the same sku twice. */
function orderUnits(random: Random, skuIds: string[]): SentDocument['units'] {
  const first = random.oneIn(3) ? random.anyOf(skuIds) : hotSku;
  const second = random.oneIn(10) ? first : random.anyOf(skuIds);
  return [first, second].map((skuId) => ({ skuId, qty: random.upTo(3) }));
}

/** Receives so few units of the hot sku that it is always about to run out, when a race could allocate a unit twice. */
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
