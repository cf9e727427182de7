import type { InboundFormBody, InboundFormRetval } from '../contract/logistics/inbound-form.ts';
import type { ShippingOrderBody, ShippingOrderRetval } from '../contract/logistics/shipping-order.ts';
import type { InboundsCancelBody, InboundsCancelRetval } from '../contract/main/inbounds-cancel.ts';
import type { OrdersCancelBody, OrdersCancelRetval } from '../contract/main/orders-cancel.ts';
import { type Ledger, noteResponse, noteSent, type SentDocument } from './ledger.ts';
import { makeNewestDocuments } from './newest-documents.ts';
import type { Random } from './random.ts';
import type { Sender, TrafficTools } from './traffic-tools.ts';

/** Random calls of a logistics system: shipping orders, which may wait for stock, and inbound forms. All are owed callbacks. */
export class LogisticsTraffic {
  private readonly tools: TrafficTools;
  private readonly ledger: Ledger;
  private readonly newestOrders = makeNewestDocuments();
  private readonly newestForms = makeNewestDocuments();

  constructor(tools: TrafficTools) {
    this.tools = tools;
    this.ledger = tools.ledger;
  }

  async anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const dice = random.next();
    if (dice < 0.45) await this.sendOrder(sender, this.newDocument(this.ledger.orders, 'SHIP', random, 3));
    else if (dice < 0.75) await this.sendForm(sender, this.newDocument(this.ledger.inbounds, 'FORM', random, 9));
    else if (dice < 0.85) await this.cancelOrders(sender, this.newestOrders.some(random, 2));
    else if (dice < 0.9) await this.cancelForms(sender, this.newestForms.some(random, 2));
    else if (dice < 0.95) await this.sendOrder(sender, this.newestOrders.one(random));
    else await this.sendForm(sender, this.newestForms.one(random));
  }

  someOrders(random: Random, max: number): SentDocument[] {
    return this.newestOrders.some(random, max);
  }

  private newDocument(
    documents: Map<string, SentDocument>,
    kind: string,
    random: Random,
    qtyMax: number,
  ): SentDocument {
    const { nextNumber, skuIds } = this.tools;
    const units = unitsOf(random, skuIds(), qtyMax);
    return noteSent(documents, `${kind}-${nextNumber()}`, { units, isLogistics: true });
  }

  private async sendOrder(sender: Sender, order: SentDocument | null): Promise<void> {
    if (!order) return;
    const body: ShippingOrderBody = {
      internal_name: order.number,
      name: `SHOP-${order.number}`,
      customer_name: 'Faults',
      delivery_name: 'Faults',
      phone: '0900000000',
      delivery_charge: 60,
      products: order.units.map(({ skuId, qty }) => ({ sku: skuId, quantity: qty, storage_type: 'ambient' })),
      callback_url: this.tools.callbackUrl,
    };
    const wasCancelled = order.cancelled;
    await this.tools.send(sender, '/logistics/orders/order', body, ({ data }) => {
      const { status } = data as ShippingOrderRetval;
      if (order.knownAs === null) this.newestOrders.add(order);
      order.waits = status === 'awaiting_stock';
      this.noteDocument(order, wasCancelled, data as ShippingOrderRetval);
    });
  }

  private async sendForm(sender: Sender, form: SentDocument | null): Promise<void> {
    if (!form) return;
    const body: InboundFormBody = {
      form_no: form.number,
      internal_form_no: `INTERNAL-${form.number}`,
      form_type: 1,
      shipping_type: 3,
      callback_url: this.tools.callbackUrl,
      products: form.units.map(({ skuId, qty }) => ({ sku: skuId, quantity: qty, expire_date: '2099-06-30' })),
    };
    const wasCancelled = form.cancelled;
    await this.tools.send(sender, '/logistics/purchases/purchase', body, ({ data }) => {
      if (form.knownAs === null) this.newestForms.add(form);
      this.noteDocument(form, wasCancelled, data as InboundFormRetval);
    });
  }

  private noteDocument(
    document: SentDocument,
    wasCancelled: boolean,
    { document_no, status, idempotent }: ShippingOrderRetval | InboundFormRetval,
  ): void {
    if (wasCancelled && status !== 'cancelled')
      this.ledger.find('lost', `${document.number} was cancelled, and is ${status}`);
    noteResponse(this.ledger, document, document_no, { isNew: !idempotent, payloadDiffers: false });
  }

  private async cancelOrders(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const { send, expectCancels } = this.tools;
    const body: OrdersCancelBody = { internal_names: orders.map((order) => order.number) };
    const takeResults = expectCancels(orders, ({ shipSent }) => (shipSent ? 'cannot_cancel_after_picking' : null));
    await send(sender, '/api/v2/default/orders/cancel', body, ({ data }) => {
      const { results } = data as OrdersCancelRetval;
      takeResults(results.map((one) => ['internal_name' in one ? one.internal_name : '', one.status]));
    });
  }

  private async cancelForms(sender: Sender, forms: SentDocument[]): Promise<void> {
    if (forms.length === 0) return;
    const { send, expectCancels } = this.tools;
    const body: InboundsCancelBody = { form_nos: forms.map((form) => form.number) };
    const takeResults = expectCancels(forms, () => 'cannot_cancel_after_receiving');
    await send(sender, '/api/v2/default/inbounds/cancel', body, ({ data }) => {
      const { results } = data as InboundsCancelRetval;
      takeResults(results.map((one) => ['form_no' in one ? one.form_no : '', one.status]));
    });
  }
}

/** Picks from all skus without favouring the hot one, so that these orders do not wait for stock for long. */
function unitsOf(random: Random, skuIds: string[], qtyMax: number): SentDocument['units'] {
  return [random.anyOf(skuIds), random.anyOf(skuIds)].map((skuId) => ({ skuId, qty: random.upTo(qtyMax) }));
}
