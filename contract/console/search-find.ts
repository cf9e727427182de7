import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export interface FoundHit {
  kind: 'order' | 'inbound' | 'sku' | 'trace' | 'callback' | 'shipment' | 'account' | 'client';
  /** The number that was found. */
  title: string;
  /** What tells it from others: the account, our own number. The same in every language. */
  subtitle: string;
  /** Of the console: `/orders/7`. */
  path: string;
}

/** Any number or id: the same first, then what begins so. */
export const searchFind = consoleCall<{ hits: FoundHit[] }>()(
  '/search/find',
  record({ text: Type.String({ minLength: 1, maxLength: 200 }) }),
);
