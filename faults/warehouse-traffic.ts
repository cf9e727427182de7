import type { InboundCreatedData, InboundDuplicateData } from '../contract/warehouse/inbound.ts';
import type { InboundCancelBody, InboundCancelData } from '../contract/warehouse/inbound-cancel.ts';
import type { InboundCreateBody } from '../contract/warehouse/inbound-create.ts';
import type { OutboundCancelBody, OutboundCancelData } from '../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody, OutboundCreateData } from '../contract/warehouse/outbound-create.ts';
import type { ProductSyncBody, ProductSyncData } from '../contract/warehouse/product-sync.ts';
import type { StockQueryBody, StockQueryData } from '../contract/warehouse/stock-query.ts';
import { faultAccount } from './child-process.ts';
import { type Ledger, noteSent, noteTold, type SentDocument } from './ledger.ts';
import type { PersistentCaller, WarehouseAnswer } from './persistent-caller.ts';

const hotSku = 'HOT';
const spreadSkus = Array.from({ length: 20 }, (_, index) => `SPREAD-${index}`);
const expireDates = ['2099-01-31', '2099-06-30', '2099-12-31'];
/** Documents to cancel or to send again are chosen from so many: so that several callers choose the same one. */
const newestMax = 100;

export type Traffic = ReturnType<typeof makeTraffic>;

/** All that a partner does, chosen at random; every answer is held against what was told before, and noted. */
export function makeTraffic({ call }: PersistentCaller, ledger: Ledger) {
  let numbers = 0;
  const skuIds = () => [...ledger.products.keys()];
  const newOrder = (units: SentDocument['units']) => noteSent(ledger.orders, `OUT-${++numbers}`, units);
  const newInbound = (units: SentDocument['units']) => noteSent(ledger.inbounds, `IN-${++numbers}`, units);
  const newestOrders = [newOrder(orderUnits([hotSku]))];
  const newestInbounds = [newInbound(inboundUnits([hotSku]))];

  /** To one node, or the same to both at once. */
  async function send(home: number, path: string, content: object, take: (answer: WarehouseAnswer) => void, toBoth = oneIn(4)) {
    const callOne = async (node: number) => {
      const answer = await call(node, path, content);
      if (answer?.status === 400 && !path.endsWith('/create')) ledger.find('wrong', `${path} was refused: ${answer.message}`);
      else if (answer) take(answer);
    };
    await Promise.all(toBoth ? [callOne(home), callOne(home + 1)] : [callOne(home)]);
  }

  async function syncProduct(home: number, skuId: string): Promise<void> {
    const body: ProductSyncBody = { sku_id: skuId, sku_name: `Faults ${++numbers}`, storage_type: 1 };
    await send(home, '/product/sync', body, (answer) => {
      const { products_id } = answer.data as ProductSyncData;
      const before = ledger.products.get(skuId);
      if (before !== undefined && before !== products_id) ledger.find('doubled', `sku ${skuId} is ${before} and ${products_id}`);
      ledger.products.set(skuId, products_id);
    });
  }

  async function createInbound(home: number, document: SentDocument): Promise<void> {
    const body: InboundCreateBody = {
      inbound_short_id: document.number,
      warehouse_tpw_id: faultAccount.tenant,
      details: document.units.map(({ skuId, qty }) => ({ sku_id: skuId, expires: [{ expire_date: anyOf(expireDates), qty }] })),
    };
    await send(home, '/inbound/create', body, (answer) => {
      if (answer.code !== 'LST-TPW-2000' && answer.code !== 'LST-TPW-2001') {
        ledger.find('wrong', `${document.number} was refused: ${answer.message}`);
        return;
      }
      const { stock_in_no, payload_differs } = answer.data as InboundCreatedData & InboundDuplicateData;
      if (document.told === null) putInFront(newestInbounds, document);
      noteTold(ledger, document, stock_in_no, { isNew: answer.status === 200, payloadDiffers: payload_differs ?? false });
    });
  }

  /** With a number that is known already, it is a repeat. */
  async function createOrder(home: number, order: SentDocument): Promise<void> {
    const isKnown = order.told !== null;
    const body: OutboundCreateBody = {
      outbound_short_id: order.number,
      warehouse_tpw_id: faultAccount.tenant,
      consignee_country: 'TW',
      logistics_type: 'home',
      express_type: 'tcat',
      details: order.units.map(({ skuId, qty }) => ({ sku_id: skuId, qty })),
    };
    const created = send(home, '/outbound/create', body, (answer) => {
      if (answer.status === 200) {
        const { orders_id, idempotent, payload_differs } = answer.data as OutboundCreateData;
        if (order.told === null) putInFront(newestOrders, order);
        noteTold(ledger, order, orders_id, { isNew: !idempotent, payloadDiffers: payload_differs ?? false });
      } else if (isKnown) ledger.find('lost', `${order.number} is not known to its repeat: ${answer.message}`);
      else if (!isShortage(answer.message)) ledger.find('wrong', `${order.number} was refused: ${answer.message}`);
    });
    // Sometimes a cancel meets the order while it is being created.
    await Promise.all([created, ...(oneIn(20) ? [cancelOrders(home + 1, [order])] : [])]);
  }

  async function cancelOrders(home: number, orders: SentDocument[]): Promise<void> {
    const body: OutboundCancelBody = { outbound_short_ids: orders.map((order) => order.number) };
    const takeResults = expectCancels(orders, []);
    await send(home, '/outbound/cancel', body, ({ data }) =>
      takeResults((data as OutboundCancelData).results.map(({ outbound_short_id, status }) => [outbound_short_id, status])),
    );
  }

  async function cancelInbounds(home: number, documents: SentDocument[]): Promise<void> {
    const body: InboundCancelBody = { inbound_short_ids: documents.map((document) => document.number) };
    // Their units may be promised to orders by now.
    const takeResults = expectCancels(documents, ['cannot_cancel_after_receiving']);
    await send(home, '/inbound/cancel', body, ({ data }) =>
      takeResults((data as InboundCancelData).results.map(({ stock_in_sn, status }) => [stock_in_sn, status])),
    );
  }

  /** What was told before the cancel was sent decides what may be answered. */
  function expectCancels(documents: SentDocument[], tooLate: string[]) {
    const allowed = documents.map(({ told, cancelled }) => {
      if (cancelled) return ['cancelled'];
      return told === null ? ['cancelled', 'not_found', ...tooLate] : ['cancelled', ...tooLate];
    });
    return (results: [number: string, status: string][]) => {
      for (const [index, document] of documents.entries()) {
        const [number, status] = results[index] ?? [];
        if (status === 'cancelled') document.cancelled = true;
        if (number !== document.number || !allowed[index]!.includes(status!)) {
          ledger.find('lost', `the cancel of ${document.number} (${document.told}) was answered with ${number} ${status}`);
        }
      }
    };
  }

  async function queryStock(home: number, skuIds: string[]): Promise<StockOfSku> {
    const stock: StockOfSku = new Map(skuIds.map((skuId) => [skuId, { onHand: 0, locked: 0 }]));
    const body: StockQueryBody = { sku_ids: skuIds };
    await send(home, '/stock/query', body, (answer) => addUp(answer.data as StockQueryData, stock), false);
    return stock;
  }

  function addUp({ stock_details }: StockQueryData, stock: StockOfSku): void {
    for (const { sku_id, status, qty, qty_lock, qty_available } of stock_details) {
      const sum = stock.get(sku_id);
      if (status !== 'ok') ledger.find('lost', `sku ${sku_id} is not registered`);
      if (!sum || qty_available !== qty - qty_lock) ledger.find('wrong', `stock of ${sku_id}: ${qty}, ${qty_lock}, ${qty_available}`);
      if (sum) {
        sum.onHand += qty;
        sum.locked += qty_lock;
      }
    }
  }

  async function anything(home: number): Promise<void> {
    const dice = Math.random();
    if (dice < 0.5) await createOrder(home, newOrder(orderUnits(skuIds())));
    else if (dice < 0.65) await createInbound(home, newInbound(inboundUnits(skuIds())));
    else if (dice < 0.8) await cancelOrders(home, some(newestOrders));
    else if (dice < 0.85) await cancelInbounds(home, some(newestInbounds));
    else if (dice < 0.9) await syncProduct(home, oneIn(2) ? `NEW-${++numbers}` : anyOf(skuIds()));
    else if (dice < 0.95) await queryStock(home, skuIds());
    else await createOrder(home, anyOf(newestOrders));
  }

  return {
    async prepare(): Promise<void> {
      for (const skuId of [hotSku, ...spreadSkus]) await syncProduct(0, skuId);
    },
    anything,
    queryStock,
  };
}

export type StockOfSku = Map<string, { onHand: number; locked: number }>;

/** Two lines, mostly of the sku that everybody wants and another one; sometimes both of the same. */
function orderUnits(skuIds: string[]): SentDocument['units'] {
  const first = oneIn(3) ? anyOf(skuIds) : hotSku;
  const second = oneIn(10) ? first : anyOf(skuIds);
  return [first, second].map((skuId) => ({ skuId, qty: upTo(3) }));
}

/** Of the hot sku so little that it is always about to run out: that is where two orders could be promised the same unit. */
function inboundUnits(skuIds: string[]): SentDocument['units'] {
  return [
    { skuId: hotSku, qty: upTo(3) },
    { skuId: anyOf(skuIds), qty: upTo(9) },
    { skuId: anyOf(skuIds), qty: upTo(9) },
  ];
}

function isShortage(message: string): boolean {
  const [, available, requested] = /^sku \S+ available=(\d+) < requested=(\d+)$/.exec(message) ?? [];
  return Number(available) < Number(requested);
}

function putInFront(newest: SentDocument[], document: SentDocument): void {
  newest.unshift(document);
  newest.length = Math.min(newest.length, newestMax);
}

const some = (documents: SentDocument[]): SentDocument[] => Array.from({ length: upTo(3) }, () => anyOf(documents));
const anyOf = <T>(choices: T[]): T => choices[Math.floor(Math.random() * choices.length)]!;
const upTo = (max: number): number => 1 + Math.floor(Math.random() * max);
const oneIn = (count: number): boolean => Math.random() * count < 1;
