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

  /** Reports how orders of both channels leave the warehouse and end, one status after the other. */
  private async ship(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (!this.onlyWholeOrders) for (const order of orders) order.shipment ??= planShipment(sender.random, order);
    let going = orders;
    for (let step = 0; going.length > 0; step++) {
      const reporting = going.filter((order) => reportsOf(order).length > step);
      going = reporting.length > 0 ? await this.report(sender, reporting, step) : [];
    }
  }

  /** Returns the orders that go on. */
  private async report(sender: Sender, orders: SentDocument[], step: number): Promise<SentDocument[]> {
    const before = orders.map((order) => ({ ...order, reached: new Set(order.reached) }));
    const reports = orders.map((order) => {
      order.shipSent = true;
      return { ...nameOf(order), ...reportsOf(order)[step]! };
    });
    const body: FulfilmentAdvanceBody = { orders: reports };
    const refused = new Set<SentDocument>();
    await this.send(sender, '/api/v2/default/fulfilment/advance', body, ({ data }) => {
      const { results } = data as FulfilmentAdvanceRetval;
      for (const [index, order] of orders.entries()) {
        const { cancelled, reached } = before[index]!;
        const wanted = reports[index]!.status;
        const { status, message } = results[index] ?? {};
        const statuses = reportsOf(order).map((report) => report.status as string);
        // An order that waits for stock cannot be shipped, and a cancellation may have arrived first. Another sender may
        // have reported a later status.
        const isFirst = reached.size === 0;
        const mayBeRefused = (isFirst && (order.isLogistics || order.cancelSent)) || isFurther(order, statuses, step);
        if (statuses.indexOf(status ?? '') >= step && !cancelled) this.noteReached(order, wanted);
        else if (status === 'refused') refused.add(order);
        if (status === 'refused' ? mayBeRefused : order.reached.has(wanted)) continue;
        this.ledger.find('lost', `the report that ${order.number} is ${wanted} got the response ${status} ${message}`);
      }
    });
    return orders.filter((order) => order.reached.has(reportsOf(order)[step]!.status) && !refused.has(order));
  }

  private noteReached(order: SentDocument, status: string): void {
    order.reached.add(status);
    if (status === 'shipped') order.shipped = true;
  }
}

/** Whether a sender may have reported a later status than that of this step: it was sent after this one was acknowledged. */
function isFurther({ reached }: SentDocument, statuses: string[], step: number): boolean {
  return reached.has(statuses[step]!);
}

/** Without a plan, the order leaves in one parcel. */
function reportsOf(order: SentDocument) {
  return order.shipment?.reports ?? [reportOfWhole(order)];
}

function nameOf({ number, isLogistics }: SentDocument): { internal_name: string } | { outbound_short_id: string } {
  return isLogistics ? { internal_name: number } : { outbound_short_id: number };
}
