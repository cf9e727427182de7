import { plainRequest } from '../bearer-request.ts';
import type { Answer } from '../connection.ts';

/** The end of an attempt to order one unit: a placed order, not enough stock, or anything else. */
export type Purchase = { kind: 'accepted' } | { kind: 'refused' } | { kind: 'failed'; reason: string };

/** Orders one unit of a sku, with as many requests as that takes. */
export type Buy = (skuId: string) => Promise<Purchase>;

/** Sends a request over the connection of a buyer. */
export type Send = (request: Buffer) => Promise<Answer>;

/** The facts that a buyer needs before the first order. They are sent to the process of the buyers. */
export type Recipe = LadingRecipe | VendureRecipe | MedusaRecipe | MedusaDraftRecipe;

export interface LadingRecipe {
  kind: 'lading';
  numbersBeginWith: string;
}

export interface VendureRecipe {
  kind: 'vendure';
  /** Each mutation in a request of its own, or all of them in one. */
  mutations: 'one by one' | 'together';
  variantIds: Record<string, string>;
  shippingMethodId: string;
}

export interface MedusaRecipe {
  kind: 'medusa';
  publishableKey: string;
  regionId: string;
  shippingOptionId: string;
  variantIds: Record<string, string>;
}

export interface MedusaDraftRecipe {
  kind: 'medusa draft';
  adminToken: string;
  regionId: string;
  salesChannelId: string;
  shippingOptionId: string;
  variantIds: Record<string, string>;
}

/** The recipient of all orders. */
export const recipient = {
  firstName: 'Mei-hua',
  lastName: 'Lin',
  street: 'No. 45, Shifu Road',
  city: 'Taipei',
  zip: '11008',
  phone: '0912345678',
};

/** Each buyer is a customer of its own, who comes again. */
export function emailOf(buyer: number): string {
  return `buyer-${buyer}@example.com`;
}

export interface Reply {
  status: number;
  // The body of a response that was not promised to have any form.
  body: unknown;
  head: string;
}

export async function post(
  send: Send,
  path: string,
  content: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { status, body, head } = await send(plainRequest(path, content, headers));
  return { status, body: JSON.parse(body.toString()), head };
}

export function failed(what: string, { status, body }: Pick<Reply, 'status' | 'body'>): Purchase {
  return { kind: 'failed', reason: `${what}: ${status} ${JSON.stringify(body).slice(0, 300)}` };
}
