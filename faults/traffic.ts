import type { FulfilmentAdvanceBody, FulfilmentAdvanceRetval } from '../contract/main/fulfilment-advance.ts';
import type { ContractAnswer } from './contract-answer.ts';
import { type Ledger, pinned, type SentDocument } from './ledger.ts';
import { makeLogisticsTraffic } from './logistics-traffic.ts';
import type { PersistentCaller } from './persistent-caller.ts';
import type { Random } from './random.ts';
import { makeWarehouseTraffic } from './warehouse-traffic.ts';

/** Who sends: the node asked first, and what chooses. */
export interface Sender {
  home: number;
  random: Random;
}

export interface TrafficTools {
  ledger: Ledger;
  callbackUrl: string;
  /** Unique among all numbers of this traffic. */
  nextNumber(): number;
  /** Those that are ordered and received. */
  skuIds(): string[];
  /** To one node, or the same to two at once. A refusal is an answer only where a creation may be refused. */
  send(sender: Sender, path: string, content: object, take: (answer: ContractAnswer) => void, atTwo?: boolean): Promise<void>;
  /** What may be answered to a cancel depends on what was told before. */
  expectCancels(documents: SentDocument[], tooLate: (document: SentDocument) => string | null): (results: [string, string][]) => void;
}

export type Traffic = ReturnType<typeof makeTraffic>;

/** All that partners do, over all three contracts, chosen at random; every answer is held against what was told before, and noted. */
export function makeTraffic({ call }: PersistentCaller, ledger: Ledger, callbackUrl: string) {
  let numbers = 0;
  const skuIds = () => [...ledger.products.keys()].filter((skuId) => skuId !== pinned.skuId);
  const tools: TrafficTools = { ledger, callbackUrl, nextNumber: () => ++numbers, skuIds, send, expectCancels };
  const warehouse = makeWarehouseTraffic(tools);
  const logistics = makeLogisticsTraffic(tools);

  async function send(
    { home, random }: Sender,
    path: string,
    content: object,
    take: (answer: ContractAnswer) => void,
    atTwo = random.oneIn(4),
  ): Promise<void> {
    const callOne = async (node: number) => {
      const answer = await call(node, path, content);
      if (answer?.status === 400 && !path.endsWith('/create')) ledger.find('wrong', `${path} was refused: ${answer.message}`);
      else if (answer) take(answer);
    };
    await Promise.all(atTwo ? [callOne(home), callOne(home + 1)] : [callOne(home)]);
  }

  function expectCancels(documents: SentDocument[], tooLate: (document: SentDocument) => string | null) {
    const before = documents.map((document) => ({ ...document }));
    for (const document of documents) document.cancelSent = true;
    return (results: [number: string, status: string][]) => {
      for (const [index, document] of documents.entries()) {
        const { told, cancelled, shipped } = before[index]!;
        const [number, status] = results[index] ?? [];
        const allowed = [shipped ? null : 'cancelled', told === null ? 'not_found' : null, cancelled ? null : tooLate(document)];
        if (status === 'cancelled') document.cancelled = true;
        if (number !== document.number || !allowed.includes(status ?? '')) {
          ledger.find('lost', `the cancel of ${document.number} (${told}) was answered with ${number} ${status}`);
        }
      }
    };
  }

  /** Orders of both channels leave the warehouse. */
  async function ship(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const before = orders.map((order) => ({ ...order }));
    for (const order of orders) order.shipSent = true;
    const body: FulfilmentAdvanceBody = { orders: orders.map((order) => ({ ...nameOf(order), ...shipmentOf(order) })) };
    await send(sender, '/api/v2/default/fulfilment/advance', body, ({ data }) => {
      const { results } = data as FulfilmentAdvanceRetval;
      for (const [index, order] of orders.entries()) {
        const { cancelled, shipped } = before[index]!;
        const { status, message } = results[index] ?? {};
        // One that waits for stock cannot be shipped, and a cancel may have come first.
        const mayBeRefused = !shipped && (order.isLogistics || order.cancelSent);
        if (status === 'shipped' && !cancelled) order.shipped = true;
        else if (status !== 'refused' || !mayBeRefused)
          ledger.find('lost', `that ${order.number} was shipped is answered with ${status} ${message}`);
      }
    });
  }

  async function anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const dice = random.next();
    if (dice < 0.07) await ship(sender, [...warehouse.someOrders(random, 2), ...logistics.someOrders(random, 2)]);
    else if (dice < 0.3) await logistics.anything(sender);
    else await warehouse.anything(sender);
  }

  return { prepare: warehouse.prepare, anything, queryStock: warehouse.queryStock };
}

function nameOf({ number, isLogistics }: SentDocument): { internal_name: string } | { outbound_short_id: string } {
  return isLogistics ? { internal_name: number } : { outbound_short_id: number };
}

function shipmentOf({ number }: SentDocument) {
  return { status: 'shipped', shipment_no: `SHIPMENT-${number}`, carrier: 'tcat' } as const;
}
