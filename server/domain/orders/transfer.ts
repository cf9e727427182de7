/** How the orders of a warehouse reach it. */
export type Connector =
  /** Staff, or a system of the warehouse that asks for them, take them by themselves. */
  | { type: 'manual' }
  | { type: 'http'; url: string }
  | { type: 'simulator'; step_s?: number; short_pick_percent?: number; delay_percent?: number };

export const transferStatuses = ['waiting', 'sending', 'accepted', 'rejected'] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** Every number that a push goes by; tests and fault runs shrink them. */
export const pushRules = {
  /** How often to look for waves that are due, or were left by a dead worker. */
  lookEverySeconds: 1,
  /** A worker that has neither recorded nor renewed for so long is taken for dead, and its wave for anybody's. */
  leaseSeconds: 10,
  /** Waves of a worker at a time: a warehouse that does not answer must not keep the others waiting. */
  wavesAtOnce: 8,
  /** After so long a wave lets others have their turn, and goes on behind those that are due longer. */
  waveSeconds: 30,
  /** Orders in one post, and how large it may be where there is more than one. */
  postedMax: 100,
  bodyMaxBytes: 4 * 1024 * 1024,
  postSeconds: 15,
  /** Orders in one transaction, where nobody has to be asked. */
  handedOverMax: 500,
  /** Orders that are looked up at a time, for each account. */
  pageMax: 1000,
  /** After the first failure, the second and so on; the last one stays. */
  retryDelaysSeconds: [5, 30, 2 * 60, 5 * 60],
  /** Later by up to this share, never earlier. */
  jitter: 0.1,
  retryAfterMaxSeconds: 3600,
  /** After so many failures in a row, orders that are answered with 5xx are sent in halves, to find the one that may be the cause. */
  isolatedAfterFailures: 3,
  /** So many orders in one wave that are answered with 5xx even alone are no cause: the warehouse is down. */
  stuckMax: 3,
};
export type PushRules = typeof pushRules;

/** An order on its way to the system of its warehouse. The id stays the same in every try: by it the other side knows what it has. */
export interface Transfer {
  orderId: number;
  transferId: string;
}

/** Orders that are posted together, as the warehouse is told of them. */
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
  /** What only orders of the logistics webhook say. */
  shipping: {
    customerName: string;
    deliveryCharge: string;
    city: string | null;
    note: string | null;
    labelData: Record<string, unknown> | null;
  } | null;
}

export interface TransferredLine {
  skuId: string;
  qty: number;
  name: string;
  storageType: string;
  batchId: string | null;
  identifier: string | null;
  comboSku: string | null;
  /** What is held for it. */
  lots: HeldLot[];
}

export interface HeldLot {
  batchId: string;
  /** null: it does not expire. */
  expireDate: string | null;
  qty: number;
}

/** How a batch is put into the body of a post: the words of the contract, which the domain does not know. */
export type WordTransfer = (batch: TransferBatch) => string;

/** What came of a post. */
export type Posted =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | null; response: string; isCut: boolean }
  /** `wasConnected` false: nothing of it can have arrived. */
  | { kind: 'unanswered'; error: string; wasConnected: boolean };

export type PostVerdict =
  /** The warehouse has them, but for those that it names. */
  | { kind: 'taken'; rejected: Map<string, string>; isUnreadable: boolean }
  /** Not as they are, or with more to say than we read: they are to be sent in halves. */
  | { kind: 'too_many' }
  /** It does not want this one. */
  | { kind: 'rejected'; reason: string }
  /** Even alone it makes the warehouse fail: it is left for the next wave, and the others go on. */
  | { kind: 'stuck'; why: string; askedForSeconds: number }
  | { kind: 'again'; why: string; askedForSeconds: number; mayBeTakenBack: boolean };

/** A request that is wrong by itself stays so, however often it is sent. */
const unacceptable = [400, 409, 413, 422];
const reasonMaxLength = 500;

/** What is to become of so many orders that were posted together. `isIsolating`: a warehouse that fails may do so because of one of them. */
export function verdictOn(posted: Posted, count: number, { isIsolating }: { isIsolating: boolean }): PostVerdict {
  if (posted.kind === 'unanswered') return again(posted.error, 0, !posted.wasConnected);
  const { status, response } = posted;
  if (status >= 200 && status <= 299) {
    // Whom it rejects may stand in what was cut off. The same again, for fewer, brings shorter answers.
    if (posted.isCut && count > 1) return { kind: 'too_many' };
    return { kind: 'taken', ...readResults(response) };
  }
  const [why, askedForSeconds] = [`HTTP ${status}`, posted.retryAfterSeconds ?? 0];
  // Whoever knows a transfer by its id is not harmed by the same again.
  if (isIsolating && status >= 500) return count > 1 ? { kind: 'too_many' } : { kind: 'stuck', why, askedForSeconds };
  if (!unacceptable.includes(status)) return again(why, askedForSeconds, false);
  return count > 1 ? { kind: 'too_many' } : { kind: 'rejected', reason: `${why}: ${cutReason(response)}` };
}

function again(why: string, askedForSeconds: number, mayBeTakenBack: boolean): PostVerdict {
  return { kind: 'again', why, askedForSeconds, mayBeTakenBack };
}

/** Whom the answer names as rejected. What cannot be read, or says something else, names nobody. */
function readResults(response: string): { rejected: Map<string, string>; isUnreadable: boolean } {
  const rejected = new Map<string, string>();
  if (response.trim() === '') return { rejected, isUnreadable: false };
  let answer: unknown;
  try {
    answer = JSON.parse(response);
  } catch {
    return { rejected, isUnreadable: true };
  }
  const results = isObject(answer) && Array.isArray(answer.results) ? answer.results : [];
  for (const result of results) {
    if (!isObject(result) || result.accepted !== false || typeof result.transfer_id !== 'string') continue;
    const { reason } = result;
    rejected.set(result.transfer_id.toLowerCase(), typeof reason === 'string' && reason !== '' ? cutReason(reason) : 'no reason given');
  }
  return { rejected, isUnreadable: false };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The database keeps no NUL, and half a character is none. */
function cutReason(text: string): string {
  return [...text.replaceAll('\0', '\ufffd')].slice(0, reasonMaxLength).join('').toWellFormed();
}

/** How long a warehouse is left alone after it failed so many times in a row. */
export function retrySeconds(failures: number, askedForSeconds: number, rules: PushRules, random: number): number {
  const delaySeconds = rules.retryDelaysSeconds[Math.min(failures, rules.retryDelaysSeconds.length) - 1]!;
  return Math.max(delaySeconds * (1 + rules.jitter * random), Math.min(askedForSeconds, rules.retryAfterMaxSeconds));
}
