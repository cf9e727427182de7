import { createHmac } from 'node:crypto';

export interface RequestToSign {
  accountNo: string;
  secret: string;
  /** The exact bytes that will be sent. */
  body: string | Uint8Array;
  /** Unix seconds; the current time by default. */
  timestamp?: number | string;
}

/**
 * The three headers of the warehouse API: lowercase hex of HMAC-SHA256 over the body, directly followed by the
 * timestamp.
 */
export function signRequest({
  accountNo,
  secret,
  body,
  timestamp = Math.floor(Date.now() / 1000),
}: RequestToSign): Record<'account-no' | 'timestamp' | 'sign', string> {
  const sign = createHmac('sha256', secret).update(body).update(String(timestamp)).digest('hex');
  return { 'account-no': accountNo, timestamp: String(timestamp), sign };
}
