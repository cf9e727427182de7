import { type Bytes, bytesOf, hmac, hmacSync, toHex } from './hmac.ts';

export interface RequestToSign {
  accountNo: string;
  secret: string;
  /** The exact bytes that will be sent. */
  body: string | Uint8Array;
  /** Unix seconds; the current time by default. */
  timestamp?: number | string;
}

export type SignedHeaders = Record<'account-no' | 'timestamp' | 'sign', string>;

/**
 * The three headers of the warehouse API: lowercase hex of HMAC-SHA256 over the body, directly followed by the
 * timestamp. For Node, Deno and Bun; elsewhere use `signRequestAsync`.
 */
export function signRequest(request: RequestToSign): SignedHeaders {
  const { key, body, timestamp } = partsOf(request);
  return headersOf(request, timestamp, hmacSync('signRequest', key, body, timestamp));
}

/** The same for every platform that has WebCrypto. */
export async function signRequestAsync(request: RequestToSign): Promise<SignedHeaders> {
  const { key, body, timestamp } = partsOf(request);
  return headersOf(request, timestamp, await hmac(key, body, timestamp));
}

function partsOf({ secret, body, timestamp = Math.floor(Date.now() / 1000) }: RequestToSign) {
  return { key: bytesOf(secret), body, timestamp: String(timestamp) };
}

function headersOf({ accountNo }: RequestToSign, timestamp: string, digest: Bytes): SignedHeaders {
  return { 'account-no': accountNo, timestamp, sign: toHex(digest) };
}
