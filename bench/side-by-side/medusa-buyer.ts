import {
  type Buy,
  emailOf,
  failed,
  type MedusaDraftRecipe,
  type MedusaRecipe,
  type Purchase,
  post,
  type Reply,
  recipient,
  type Send,
} from './purchase.ts';

const paymentProvider = 'pp_system_default';
const shippingName = 'Home delivery';
const shippingAmount = 60;

const address = {
  first_name: recipient.firstName,
  last_name: recipient.lastName,
  address_1: recipient.street,
  city: recipient.city,
  postal_code: recipient.zip,
  country_code: 'tw',
  phone: recipient.phone,
};

/** A guest checkout: a cart with everything that can be given at once, its shipping, its payment, its completion. */
export function makeMedusaBuyer(recipe: MedusaRecipe, send: Send, buyer: number): Buy {
  const headers = { 'x-publishable-api-key': recipe.publishableKey };
  return async (skuId) => {
    const created = await post(
      send,
      '/store/carts',
      {
        region_id: recipe.regionId,
        email: emailOf(buyer),
        shipping_address: address,
        billing_address: address,
        items: [{ variant_id: recipe.variantIds[skuId], quantity: 1 }],
      },
      headers,
    );
    if (created.status !== 200) return refusedOrFailed('cart', created);
    const cart = `/store/carts/${(created.body as { cart: { id: string } }).cart.id}`;
    const cartId = cart.slice(cart.lastIndexOf('/') + 1);

    const shipping = await post(send, `${cart}/shipping-methods`, { option_id: recipe.shippingOptionId }, headers);
    if (shipping.status !== 200) return refusedOrFailed('shipping method', shipping);

    const collection = await post(send, '/store/payment-collections', { cart_id: cartId }, headers);
    if (collection.status !== 200) return refusedOrFailed('payment collection', collection);
    const collectionId = (collection.body as { payment_collection: { id: string } }).payment_collection.id;

    const sessions = `/store/payment-collections/${collectionId}/payment-sessions`;
    const session = await post(send, sessions, { provider_id: paymentProvider }, headers);
    if (session.status !== 200) return refusedOrFailed('payment session', session);

    const completed = await post(send, `${cart}/complete`, {}, headers);
    const isOrder = completed.status === 200 && (completed.body as { type: string }).type === 'order';
    return isOrder ? { kind: 'accepted' } : refusedOrFailed('completion', completed);
  };
}

/** An order that the shop itself writes: a draft, and its conversion, which reserves the stock. No payment. */
export function makeMedusaDraftBuyer(recipe: MedusaDraftRecipe, send: Send, buyer: number): Buy {
  const headers = { authorization: `Bearer ${recipe.adminToken}` };
  return async (skuId) => {
    const draft = await post(
      send,
      '/admin/draft-orders',
      {
        region_id: recipe.regionId,
        sales_channel_id: recipe.salesChannelId,
        email: emailOf(buyer),
        shipping_address: address,
        billing_address: address,
        items: [{ variant_id: recipe.variantIds[skuId], quantity: 1 }],
        shipping_methods: [{ name: shippingName, shipping_option_id: recipe.shippingOptionId, amount: shippingAmount }],
      },
      headers,
    );
    if (draft.status !== 200) return refusedOrFailed('draft', draft);
    const { id } = (draft.body as { draft_order: { id: string } }).draft_order;
    const order = await post(send, `/admin/draft-orders/${id}/convert-to-order`, {}, headers);
    return order.status === 200 ? { kind: 'accepted' } : refusedOrFailed('conversion', order);
  };
}

/** A refusal is an error whose text names the inventory. */
function refusedOrFailed(what: string, reply: Reply): Purchase {
  return isShortOfStock(reply) ? { kind: 'refused' } : failed(what, reply);
}

export function isShortOfStock({ body }: Pick<Reply, 'body'>): boolean {
  return /inventory|not enough stock|insufficient/i.test(JSON.stringify(body));
}
