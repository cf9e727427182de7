import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import type { InboundStatus } from './inbound.ts';
import type { OrderStatus } from './orders.ts';

export type FoundKind =
  | 'order'
  | 'shipment'
  | 'inbound'
  | 'return'
  | 'sku'
  | 'trace'
  | 'callback'
  | 'account'
  | 'client';

export interface FoundHit {
  kind: FoundKind;
  /** The number that was found. */
  title: string;
  /** Distinguishes it from similar hits: the account, our own number. The same in every language. */
  subtitle: string;
  /** A path of the console: `/orders/7`. */
  path: string;
  /** The whole text is one of its numbers. */
  is_exact: boolean;
  /** The present state of a document, and when it was created. */
  order_status?: OrderStatus;
  inbound_status?: InboundStatus;
  created_at?: string;
}

export interface Found {
  /** The hits of each kind: exact ones first, then the newest. */
  hits: FoundHit[];
  /** The kinds of which there are more than these. */
  more: FoundKind[];
  /** Many new documents are not in the search yet; some may be missing. */
  is_behind: boolean;
}

/**
 * Finds documents and products by any part of a number or product name, and others by their whole number or its
 * beginning. Recipients are not searched: `/orders/search-by-recipient` does that, and the audit log records it.
 */
export const searchFind = consoleCall<Found>()(
  '/search/find',
  record({ text: Type.String({ minLength: 1, maxLength: 200 }) }),
);
