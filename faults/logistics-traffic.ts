import type { InboundFormBody, InboundFormRetval } from '../contract/logistics/inbound-form.ts';
import type { ShippingOrderBody, ShippingOrderRetval } from '../contract/logistics/shipping-order.ts';
import type { InboundsCancelBody, InboundsCancelRetval } from '../contract/main/inbounds-cancel.ts';
import type { OrdersCancelBody, OrdersCancelRetval } from '../contract/main/orders-cancel.ts';
import { noteSent, noteTold, type SentDocument } from './ledger.ts';
import { makeNewestDocuments } from './newest-documents.ts';
import type { Random } from './random.ts';
import type { Sender, TrafficTools } from './traffic.ts';

/** What a logistics system does: orders that may wait for stock, and forms; callbacks are owed for all of them. */
export function makeLogisticsTraffic({ ledger, callbackUrl, nextNumber, skuIds, send, expectCancels }: TrafficTools) {
  const newestOrders = makeNewestDocuments();
  const newestForms = makeNewestDocuments();
  const newDocument = (documents: Map<string, SentDocument>, kind: string, units: SentDocument['units']) =>
    noteSent(documents, `${kind}-${nextNumber()}`, { units, isLogistics: true });

  async function sendOrder(sender: Sender, order: SentDocument): Promise<void> {
    const body: ShippingOrderBody = {
      internal_name: order.number,
      name: `SHOP-${order.number}`,
      customer_name: 'Faults',
      delivery_name: 'Faults',
      phone: '0900000000',
      delivery_charge: 60,
      products: order.units.map(({ skuId, qty }) => ({ sku: skuId, quantity: qty, storage_type: 'ambient' })),
      callback_url: callbackUrl,
    };
    const wasCancelled = order.cancelled;
    await send(sender, '/logistics/orders/order', body, ({ data }) => {
      const { document_no, status, idempotent } = data as ShippingOrderRetval;
      if (order.told === null) newestOrders.add(order);
      order.waits = status === 'awaiting_stock';
      if (wasCancelled && status !== 'cancelled') ledger.find('lost', `${order.number} was cancelled, and is ${status}`);
      noteTold(ledger, order, document_no, { isNew: !idempotent, payloadDiffers: false });
    });
  }

  async function sendForm(sender: Sender, form: SentDocument): Promise<void> {
    const body: InboundFormBody = {
      form_no: form.number,
      internal_form_no: `INTERNAL-${form.number}`,
      form_type: 1,
      shipping_type: 3,
      callback_url: callbackUrl,
      products: form.units.map(({ skuId, qty }) => ({ sku: skuId, quantity: qty, expire_date: '2099-06-30' })),
    };
    const wasCancelled = form.cancelled;
    await send(sender, '/logistics/purchases/purchase', body, ({ data }) => {
      const { document_no, status, idempotent } = data as InboundFormRetval;
      if (form.told === null) newestForms.add(form);
      if (wasCancelled && status !== 'cancelled') ledger.find('lost', `${form.number} was cancelled, and is ${status}`);
      noteTold(ledger, form, document_no, { isNew: !idempotent, payloadDiffers: false });
    });
  }

  async function cancelOrders(sender: Sender, orders: SentDocument[]): Promise<void> {
    if (orders.length === 0) return;
    const body: OrdersCancelBody = { internal_names: orders.map((order) => order.number) };
    const takeResults = expectCancels(orders, ({ shipSent }) => (shipSent ? 'cannot_cancel_after_picking' : null));
    await send(sender, '/api/v2/default/orders/cancel', body, ({ data }) =>
      takeResults((data as OrdersCancelRetval).results.map((one) => ['internal_name' in one ? one.internal_name : '', one.status])),
    );
  }

  async function cancelForms(sender: Sender, forms: SentDocument[]): Promise<void> {
    if (forms.length === 0) return;
    const body: InboundsCancelBody = { form_nos: forms.map((form) => form.number) };
    const takeResults = expectCancels(forms, () => 'cannot_cancel_after_receiving');
    await send(sender, '/api/v2/default/inbounds/cancel', body, ({ data }) =>
      takeResults((data as InboundsCancelRetval).results.map((one) => ['form_no' in one ? one.form_no : '', one.status])),
    );
  }

  async function anything(sender: Sender): Promise<void> {
    const { random } = sender;
    const dice = random.next();
    if (dice < 0.45) await sendOrder(sender, newDocument(ledger.orders, 'SHIP', unitsOf(random, skuIds(), 3)));
    else if (dice < 0.75) await sendForm(sender, newDocument(ledger.inbounds, 'FORM', unitsOf(random, skuIds(), 9)));
    else if (dice < 0.85) await cancelOrders(sender, newestOrders.some(random, 2));
    else if (dice < 0.9) await cancelForms(sender, newestForms.some(random, 2));
    else if (dice < 0.95) await repeat(sender, newestOrders.one(random), sendOrder);
    else await repeat(sender, newestForms.one(random), sendForm);
  }

  async function repeat(sender: Sender, document: SentDocument | null, sendIt: typeof sendOrder): Promise<void> {
    if (document) await sendIt(sender, document);
  }

  return { anything, someOrders: newestOrders.some };
}

/** Of any skus: what these orders wait for, nobody else's need wait for long. */
function unitsOf(random: Random, skuIds: string[], qtyMax: number): SentDocument['units'] {
  return [random.anyOf(skuIds), random.anyOf(skuIds)].map((skuId) => ({ skuId, qty: random.upTo(qtyMax) }));
}
