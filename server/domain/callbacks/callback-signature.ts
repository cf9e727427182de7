import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { makeRecentMap } from '../../platform/recent-map.ts';

/** As the Standard Webhooks specification says: `v1,<base64>` for each secret, so that a receiver may know either during a rotation. */
export function signCallback(message: SignedMessage, secrets: string[]): string {
  return secrets.map((secret) => `v1,${digest(message, secret)}`).join(' ');
}

/** The headers of a post that is signed now, as callbacks and transfers are. */
export function signedHeaders(
  { eventId, body }: Omit<SignedMessage, 'timestampSeconds'>,
  secrets: string[],
  now: Date,
): Record<string, string> {
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Lading',
    'accept-encoding': 'identity',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signCallback({ eventId, timestampSeconds, body }, secrets),
  };
}

export interface SignedMessage {
  eventId: string;
  timestampSeconds: number;
  body: string | Uint8Array;
}

// The specification's own library computes HMAC in JavaScript; this is the same in native code.
function digest({ eventId, timestampSeconds, body }: SignedMessage, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(`${eventId}.${timestampSeconds}.`).update(body).digest('base64');
}

const secretPrefix = 'whsec_';
/** Making a key takes five times as long as signing with it: 23 µs against 4. */
const keys = makeRecentMap<KeyObject>(1000);

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const key = createSecretKey(Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64'));
  keys.set(secret, key);
  return key;
}

/** What a receiver finds, in words that tell what is wrong. */
export type SignatureFinding =
  | { kind: 'valid' }
  | { kind: 'missing_header'; header: string }
  | { kind: 'malformed_timestamp' }
  | { kind: 'too_old'; ageSeconds: number }
  | { kind: 'too_new'; aheadSeconds: number }
  | { kind: 'no_known_version' }
  | { kind: 'wrong_signature' };

const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Checks a callback as its receiver should: any of the secrets may have signed it. */
export function verifyCallbackSignature(
  headers: Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  secrets: string[],
  { now, toleranceSeconds = 300 }: { now: Date; toleranceSeconds?: number },
): SignatureFinding {
  const [eventId, timestamp, signatures] = signatureHeaders.map((name) => [headers[name]].flat().join(' '));
  if (!eventId || !timestamp || !signatures) {
    return { kind: 'missing_header', header: signatureHeaders.find((name) => !headers[name]?.length)! };
  }
  if (!/^\d{1,12}$/.test(timestamp)) return { kind: 'malformed_timestamp' };
  const timestampSeconds = Number(timestamp);
  const ageSeconds = Math.floor(now.getTime() / 1000) - timestampSeconds;
  if (ageSeconds > toleranceSeconds) return { kind: 'too_old', ageSeconds };
  if (-ageSeconds > toleranceSeconds) return { kind: 'too_new', aheadSeconds: -ageSeconds };

  const given = signatures.split(' ').filter((one) => one.startsWith('v1,'));
  if (given.length === 0) return { kind: 'no_known_version' };
  const expected = secrets.map((secret) => `v1,${digest({ eventId, timestampSeconds, body }, secret)}`);
  return given.some((one) => expected.some((other) => isSame(one, other))) ? { kind: 'valid' } : { kind: 'wrong_signature' };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
