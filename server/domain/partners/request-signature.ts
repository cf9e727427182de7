import type { KeyObject } from 'node:crypto';
import { hmacSha256 } from '../../platform/hmac.ts';

/** How far the timestamp of a signed request may differ from our clock. */
export const skewMaxSeconds = 300;

/** The signature of a request to the warehouse API: HMAC-SHA256 over the body's bytes followed by the timestamp. */
export function signatureOf(key: KeyObject, body: Uint8Array, timestamp: string): Buffer {
  return hmacSha256(key, [body, Buffer.from(timestamp)]);
}
