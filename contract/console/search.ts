import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export interface FoundHit {
  kind: 'order' | 'inbound' | 'sku' | 'trace' | 'callback' | 'shipment' | 'account' | 'client';
  /** The number that was found. */
  title: string;
  /** Distinguishes it from similar hits: the account, our own number. The same in every language. */
  subtitle: string;
  /** A path of the console: `/orders/7`. */
  path: string;
}

/** Finds any number or id: exact matches first, then those that begin with the text. */
export const searchFind = consoleCall<{ hits: FoundHit[] }>()(
  '/search/find',
  record({ text: Type.String({ minLength: 1, maxLength: 200 }) }),
);
