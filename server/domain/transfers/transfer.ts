import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import type { Recipient } from '../orders/recipient.ts';

/** How a warehouse receives its orders. */
export type Connector =
  /** Staff, or a system of the warehouse that calls the API, fetch the orders. */
  | { type: 'manual' }
  /** `changes_url`: where the warehouse accepts changes of orders that it has; without it, it accepts none. */
  | { type: 'http'; url: string; changes_url?: string }
  | { type: 'simulator'; step_s?: number; short_pick_percent?: number; delay_percent?: number };

export const transferStatuses = ['waiting', 'sending', 'accepted', 'rejected'] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** All limits and timings of a push. Tests and fault runs use smaller ones. */
export const pushRules = {
  /** How often to look for waves that are due, or whose worker has died. */
  lookEverySeconds: 1,
  /** A worker that has not renewed its lease for this long counts as dead, and another one takes over the wave. */
  leaseSeconds: 10,
  /** Waves that one worker runs in parallel, so that an unresponsive warehouse does not delay the others. */
  wavesAtOnce: 8,
  /** After this time a wave pauses, and continues after the waves that have been due for longer. */
  waveSeconds: 30,
  /** Orders in one post, and the size limit of a post with more than one order. */
  postedMax: 100,
  bodyMaxBytes: 4 * 1024 * 1024,
  postSeconds: 15,
  /** Orders in one transaction when no other system is involved. */
  handedOverMax: 500,
  /** Orders that one query reads for each account. */
  pageMax: 1000,
  /** The delay after the first failure, the second and so on. Further failures use the last one. */
  retryDelaysSeconds: [5, 30, 2 * 60, 5 * 60],
  /** Delays are longer by a random share of up to this much. */
  jitter: 0.1,
  retryAfterMaxSeconds: 3600,
  /** After this many consecutive failures, a batch with a 5xx response is halved to find the order that causes it. */
  isolatedAfterFailures: 3,
  /** With this many blocked orders in one wave, the cause is the warehouse and not an order: the wave fails. */
  blockedMax: 3,
};
export type PushRules = typeof pushRules;

/** Orders of one account that are transferred together, the oldest first. */
export interface PendingBatch {
  accountId: number;
  orderIds: number[];
}

/** An order on its way to the system of its warehouse, which recognizes repeated posts by the id. */
export interface Transfer {
  accountId: number;
  orderId: number;
  transferId: string;
}

/** Orders that are posted together. */
export interface TransferBatch {
  batchId: string;
  warehouseNo: number;
  sentAt: Date;
  orders: TransferredOrder[];
}

/** An order as the warehouse needs it. */
export interface TransferredOrder {
  orderId: number;
  transferId: string;
  orderNo: string;
  accountNo: string;
  channel: 'warehouse' | 'main' | 'logistics';
  partnerNumber: string;
  name: string | null;
  storeNo: number;
  logisticsType: string | null;
  expressType: string | null;
  consigneeCountry: string | null;
  consigneeName: string | null;
  consigneePhone: string | null;
  consigneeAddress: string | null;
  consigneeZip: string | null;
  createdAt: string;
  lines: TransferredLine[];
  /** Only orders of the logistics webhook have these fields. */
  shipping: {
    customerName: string;
    deliveryCharge: string;
    city: string | null;
    note: string | null;
    labelData: Record<string, unknown> | null;
  } | null;
}

export function recipientOf(order: TransferredOrder): Recipient {
  const { shipping } = order;
  return {
    country: order.consigneeCountry,
    name: order.consigneeName,
    phone: order.consigneePhone,
    address: order.consigneeAddress,
    zip: order.consigneeZip,
    city: shipping?.city ?? null,
    customer_name: shipping?.customerName ?? null,
    note: shipping?.note ?? null,
    store_pickup_label_data: shipping?.labelData ?? null,
  };
}

export interface TransferredLine {
  skuId: string;
  qty: number;
  name: string;
  storageType: string;
  batchId: string | null;
  identifier: string | null;
  comboSku: string | null;
  /** The stock that is held for this line. */
  lots: HeldLot[];
}

export interface HeldLot {
  batchId: string;
  /** null: the lot does not expire. */
  expireDate: string | null;
  qty: number;
}

/** Formats a batch as the body of a post. The wire format belongs to the API, not to the domain. */
export type FormatTransfer = (batch: TransferBatch) => string;

/** The result of a post. */
export type Posted =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | null; response: string; isCut: boolean }
  /** `wasConnected` false: the warehouse cannot have received any of it. */
  | { kind: 'unanswered'; error: Message; wasConnected: boolean };

export type PostVerdict =
  /** The warehouse has accepted the orders, except for those that it rejects by their transfer id. */
  | { kind: 'accepted'; rejected: Map<string, Message>; isUnreadable: boolean }
  /** The batch is refused as a whole, or its response is too long to be read: post it in halves. */
  | { kind: 'too_many' }
  /** The warehouse rejects this single order. */
  | { kind: 'rejected'; reason: Message }
  /** The warehouse fails on this order even when it is posted alone: the next wave retries it, the others go on. */
  | { kind: 'blocked'; why: Message; askedForSeconds: number }
  /** The wave ends, and the next one posts the orders again. */
  | { kind: 'again'; why: Message; askedForSeconds: number; mayBeTakenBack: boolean };

/** Statuses that say that the request itself is wrong: an identical request would be refused again. */
const refusals = [400, 409, 413, 422];
const reasonMaxLength = 500;

export interface PostedBatch {
  /** One of the orders may make the warehouse fail. */
  isIsolating: boolean;
  /** Masks the recipients of the orders in the reasons of the warehouse, which operators see. */
  redact: (text: string) => string;
  /** The field by which a response names what it rejects. */
  idField: 'transfer_id' | 'change_id';
}

/** Decides what happens to `count` orders after a post. */
export function verdictOn(posted: Posted, count: number, { isIsolating, redact, idField }: PostedBatch): PostVerdict {
  if (posted.kind === 'unanswered') return again(posted.error, 0, !posted.wasConnected);
  const { status, response } = posted;
  if (status >= 200 && status <= 299) {
    // The missing part may reject orders. Posting fewer orders again brings shorter responses.
    if (posted.isCut && count > 1) return { kind: 'too_many' };
    return { kind: 'accepted', ...readResults(response, redact, idField) };
  }
  const why = sending('http_status', { status });
  const askedForSeconds = posted.retryAfterSeconds ?? 0;
  // The warehouse recognizes transfers by their id, so posting them again is safe.
  if (isIsolating && status >= 500) return count > 1 ? { kind: 'too_many' } : { kind: 'blocked', why, askedForSeconds };
  if (!refusals.includes(status)) return again(why, askedForSeconds, false);
  if (count > 1) return { kind: 'too_many' };
  return { kind: 'rejected', reason: sending('rejected_with', { status, response: cutReason(redact(response)) }) };
}

function again(why: Message, askedForSeconds: number, mayBeTakenBack: boolean): PostVerdict {
  return { kind: 'again', why, askedForSeconds, mayBeTakenBack };
}

/** The transfers that the response rejects. An unreadable or unexpected response rejects none. */
function readResults(
  response: string,
  redact: PostedBatch['redact'],
  idField: PostedBatch['idField'],
): { rejected: Map<string, Message>; isUnreadable: boolean } {
  const rejected = new Map<string, Message>();
  if (response.trim() === '') return { rejected, isUnreadable: false };
  let parsed: unknown;
  try {
    parsed = JSON.parse(response);
  } catch {
    return { rejected, isUnreadable: true };
  }
  const results = isObject(parsed) && Array.isArray(parsed.results) ? parsed.results : [];
  for (const result of results) {
    const id = isObject(result) ? result[idField] : null;
    if (!isObject(result) || result.accepted !== false || typeof id !== 'string') continue;
    const { reason } = result;
    rejected.set(
      id.toLowerCase(),
      typeof reason === 'string' && reason !== ''
        ? sending('warehouse_reason', { text: cutReason(redact(reason)) })
        : sending('no_reason_given'),
    );
  }
  return { rejected, isUnreadable: false };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** PostgreSQL text cannot hold NUL or half a surrogate pair. */
function cutReason(text: string): string {
  return [...text.replaceAll('\0', '\ufffd')].slice(0, reasonMaxLength).join('').toWellFormed();
}

/** How long a warehouse is on hold after this many consecutive failures. */
export function retrySeconds(failures: number, askedForSeconds: number, rules: PushRules, random: number): number {
  const delaySeconds = rules.retryDelaysSeconds[Math.min(failures, rules.retryDelaysSeconds.length) - 1]!;
  return Math.max(delaySeconds * (1 + rules.jitter * random), Math.min(askedForSeconds, rules.retryAfterMaxSeconds));
}
