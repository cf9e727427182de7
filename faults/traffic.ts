import type { FulfilmentAdvanceBody, FulfilmentAdvanceRetval } from '../contract/main/fulfilment-advance.ts';
import type { ContractAnswer } from './contract-answer.ts';
import { growing, type Ledger, pinned, type SentDocument } from './ledger.ts';
import { LogisticsTraffic } from './logistics-traffic.ts';
import type { PersistentCaller } from './persistent-caller.ts';
import { planShipment, reportOfWhole } from './shipment.ts';
import type { Sender, TrafficTools } from './traffic-tools.ts';
import { type StockOfSku, WarehouseTraffic } from './warehouse-traffic.ts';

/** Random calls of partners through all three contracts. Each response is compared with earlier ones, and recorded. */
export class Traffic {
  private readonly caller: PersistentCaller;
  private readonly ledger: Ledger;
  private readonly warehouse: WarehouseTraffic;
  private readonly logistics: LogisticsTraffic;
  private readonly onlyWholeOrders: boolean;
  private numbers = 0;

  /** `onlyWholeOrders`: an older version, which knows no parcels, serves some of the calls. */
  constructor(caller: PersistentCaller, ledger: Ledger, callbackUrl: string, onlyWholeOrders = false) {
    this.caller = caller;
    this.onlyWholeOrders = onlyWholeOrders;
    this.ledger = ledger;
    const tools: TrafficTools = {
      ledger,
      callbackUrl,
      nextNumber: () => ++this.numbers,
      skuIds: () => [...ledger.products.keys()].filter((skuId) => skuId !== pinned.skuId && skuId !== growing.skuId),
      send: (...request) => this.send(...request),
      expectCancels: (documents, tooLate) => this.expectCancels(documents, tooLate),
    };
    this.warehouse = new WarehouseTraffic(tools);
    this.logistics = new LogisticsTraffic(tools);
  }

  async prepare(sender: Sender): Promise<void> {
    await this.warehouse.prepare(sender);
  }

  async anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const dice = random.next();
    if (dice < 0.07)
      await this.ship(sender, [...this.warehouse.someOrders(random, 2), ...this.logistics.someOrders(random, 2)]);
    else if (dice < 0.3) await this.logistics.anything(sender);
    else await this.warehouse.anything(sender);
  }

  async queryStock(sender: Sender): Promise<StockOfSku> {
    return await this.warehouse.queryStock(sender);
  }

  private async send(
    { home, random }: Sender,
    path: string,
    content: object,
    take: (answer: ContractAnswer) => void,
    atTwo = random.oneIn(4),
  ): Promise<void> {
    const callOne = async (node: number) => {
      const answer = await this.caller.call(node, path, content);
      if (answer?.status === 400 && !path.endsWith('/create'))
        this.ledger.find('wrong', `${path} was rejected: ${answer.message}`);
      else if (answer) take(answer);
    };
    await Promise.all(atTwo ? [callOne(home), callOne(home + 1)] : [callOne(home)]);
  }

  private expectCancels(documents: SentDocument[], tooLate: (document: SentDocument) => string | null) {
    const before = documents.map((document) => ({ ...document }));
    for (const document of documents) document.cancelSent = true;
    return (results: [number: string, status: string][]) => {
      for (const [index, document] of documents.entries()) {
        const { knownAs, cancelled, shipped } = before[index]!;
        const [number, status] = results[index] ?? [];
        const allowed = [
          shipped ? null : 'cancelled',
          knownAs === null ? 'not_found' : null,
          cancelled ? null : tooLate(document),
        ];
        if (status === 'cancelled') document.cancelled = true;
        if (number === document.number && allowed.includes(status ?? '')) continue;
        const cancellation = `the cancellation of ${document.number} (${knownAs})`;
        this.ledger.find('lost', `${cancellation} got the response ${number} ${status}`);
      }
    };
  }

  /** Reports that orders of both channels have left the warehouse. */
  private async ship(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const before = orders.map((order) => ({ ...order }));
    const reports = orders.map((order) => {
      order.shipSent = true;
      if (!this.onlyWholeOrders) order.shipment ??= planShipment(sender.random, order);
      return { ...nameOf(order), ...(order.shipment?.report ?? reportOfWhole(order)) };
    });
    const body: FulfilmentAdvanceBody = { orders: reports };
    await this.send(sender, '/api/v2/default/fulfilment/advance', body, ({ data }) => {
      const { results } = data as FulfilmentAdvanceRetval;
      for (const [index, order] of orders.entries()) {
        const { cancelled, shipped } = before[index]!;
        const { status, message } = results[index] ?? {};
        // An order that waits for stock cannot be shipped, and a cancellation may have arrived first.
        const mayBeRefused = !shipped && (order.isLogistics || order.cancelSent);
        if (status === 'shipped' && !cancelled) order.shipped = true;
        else if (status !== 'refused' || !mayBeRefused)
          this.ledger.find('lost', `the report that ${order.number} was shipped got the response ${status} ${message}`);
      }
    });
  }
}

function nameOf({ number, isLogistics }: SentDocument): { internal_name: string } | { outbound_short_id: string } {
  return isLogistics ? { internal_name: number } : { outbound_short_id: number };
}
