import { type Bytes, fromBase64, hmac, hmacSync, toBase64 } from './hmac.ts';
import type { CallbackBody } from './wire.ts';

export interface ReceivedCallback {
  /** The headers of Node (`request.headers`) or of `fetch` (`Headers`). */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw bytes; parsing and serializing the body again would change them. */
  body: string | Uint8Array;
}

export interface VerifyOptions {
  /** `whsec_...`; while it is being rotated, the new one and the previous one. */
  secrets: string | readonly string[];
  /** How far the time of the signature may be off; 300 by default. */
  toleranceSeconds?: number;
  /**
   * The events already processed: a `RecentEvents` or a `Set`. If you use a database, omit it and look up the
   * `event_id` yourself.
   */
  seen?: { has(eventId: string): boolean };
  now?: Date;
}

/** `duplicate`: the `event_id` was already processed. Respond with 200 anyway. */
export type VerifiedCallback = CallbackBody & { duplicate: boolean };

export type CallbackRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_known_version'
  | 'wrong_signature'
  | 'not_json';

/** Thrown for an invalid callback. Respond with 4xx, and do not use the body. */
export class CallbackError extends Error {
  readonly reason: CallbackRefusal;
  constructor(reason: CallbackRefusal, message: string) {
    super(message);
    this.name = 'CallbackError';
    this.reason = reason;
  }
}

const toleranceSecondsDefault = 300;

/**
 * Returns the callback if it has a recent signature by one of the secrets, according to the Standard Webhooks
 * specification. For Node, Deno and Bun; elsewhere use `verifyCallbackAsync`.
 */
export function verifyCallback(received: ReceivedCallback, options: VerifyOptions): VerifiedCallback {
  const { keys, given, signed } = readSignatures(received, options);
  const digests = keys.map((key) => hmacSync('verifyCallback', key, ...signed));
  return readVerified(received, options, given, digests);
}

/** The same for every platform that has WebCrypto. */
export async function verifyCallbackAsync(
  received: ReceivedCallback,
  options: VerifyOptions,
): Promise<VerifiedCallback> {
  const { keys, given, signed } = readSignatures(received, options);
  const digests = await Promise.all(keys.map((key) => hmac(key, ...signed)));
  return readVerified(received, options, given, digests);
}

/** Everything before the signatures are compared: the keys, the signatures in the header, and what they sign. */
function readSignatures({ headers, body }: ReceivedCallback, options: VerifyOptions) {
  const keys = [options.secrets].flat().map(keyOf);
  if (keys.length === 0) throw new TypeError('secrets is missing');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  checkTime(timestamp, options);

  const given = signatures.split(' ').filter((one) => one.startsWith('v1,'));
  if (given.length === 0)
    throw new CallbackError('no_known_version', 'webhook-signature has no signature of version v1');
  return { keys, given, signed: [`${id}.${timestamp}.`, body] };
}

function readVerified(
  { body }: ReceivedCallback,
  { seen }: VerifyOptions,
  given: string[],
  digests: Bytes[],
): VerifiedCallback {
  const expected = digests.map((digest) => `v1,${toBase64(digest)}`);
  if (!given.some((one) => expected.some((other) => isSame(one, other)))) {
    throw new CallbackError(
      'wrong_signature',
      'the signature does not match: another secret, or other bytes than those that were signed',
    );
  }

  const callback = parse(body);
  const duplicate = seen?.has(callback.event_id) ?? false;
  // A promise would be truthy, and every callback would be ignored as a duplicate.
  if (typeof duplicate !== 'boolean') throw new TypeError('seen.has must return true or false, not a promise');
  return { ...callback, duplicate };
}

function headerOf(headers: ReceivedCallback['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  if (!value) throw new CallbackError('missing_header', `the header ${name} is missing`);
  return value;
}

/** Header names are case-insensitive, and not every framework converts them to lower case. */
function valueIn(headers: Record<string, string | string[] | undefined>, name: string): string {
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name) ?? name;
  return [headers[key]].flat().join(' ');
}

function checkTime(
  timestamp: string,
  { toleranceSeconds = toleranceSecondsDefault, now = new Date() }: VerifyOptions,
): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new CallbackError('malformed_timestamp', 'webhook-timestamp is not a time in Unix seconds');
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new CallbackError('too_old', `it was signed ${ageSeconds} s ago: check the clock of this machine`);
  if (-ageSeconds > toleranceSeconds)
    throw new CallbackError('too_new', `it was signed ${-ageSeconds} s in the future; check the clock`);
}

const keyBytesMin = 16;

/** Rejects values that are not secrets, so that they do not result in a guessable key. */
export function keyOf(secret: string): Bytes {
  const base64 = secret?.trim().replace(/^whsec_/, '') ?? '';
  if (base64 === '') throw new TypeError('secrets is missing');
  // A base64 text never has one character after its last group of four.
  const unpadded = /^([A-Za-z0-9+/]+)={0,2}$/.exec(base64)?.[1] ?? '';
  const key = unpadded.length % 4 === 1 ? null : fromBase64(unpadded);
  if (key === null || key.length < keyBytesMin)
    throw new TypeError('secrets: a callback secret is whsec_ followed by base64');
  return key;
}

/** Compares in a time that does not depend on the first difference. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function parse(body: string | Uint8Array): CallbackBody {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CallbackError('not_json', 'the body is not a JSON object');
  return value as CallbackBody;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const rememberedMaxDefault = 10_000;

/**
 * Remembers recent events in memory. Add an event after processing it, so that it can be delivered again if processing
 * fails.
 */
export class RecentEvents {
  readonly #events = new Set<string>();
  readonly #rememberedMax: number;

  constructor(rememberedMax = rememberedMaxDefault) {
    this.#rememberedMax = rememberedMax;
  }

  has(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  add(eventId: string): void {
    this.#events.add(eventId);
    const [oldest] = this.#events;
    if (this.#events.size > this.#rememberedMax && oldest !== undefined) this.#events.delete(oldest);
  }
}
