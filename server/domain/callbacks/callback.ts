import { createHash } from 'node:crypto';
import { newEventId } from '../../platform/ids.ts';

export const callbackStatuses = ['pending', 'delivered', 'failed'] as const;
export type CallbackStatus = (typeof callbackStatuses)[number];
export const documentTypes = ['order', 'inbound', 'return'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The URL of a document's callbacks, and the account's key that signs them. */
export interface CallbackTarget {
  keyName: string;
  url: string;
}

/** The document that an event is about, with the details that its partner receives. */
export interface NotifiedDocument {
  accountId: number;
  type: DocumentType;
  documentId: number;
  /** The partner's number, which is unique. */
  partnerNumber: string;
  /** The partner's second number. */
  internalNo: string;
  /** For orders: the order number in the shop. */
  name: string | null;
  ourNo: string;
  status: string;
  shipmentNo: string | null;
  carrier: string | null;
  /** For orders of which units have left the warehouse. */
  shipped?: { parcels: NotifiedParcel[]; short: NotifiedShort[] };
  /** For orders that did not reach their recipient. */
  undelivered?: { reason: string; returnNo: string | null };
  items: NotifiedItem[];
  /** For inbound and return forms: the units that have arrived. */
  received?: NotifiedUnits[];
  note: string | null;
}

export interface NotifiedItem {
  skuId: string;
  qty: number;
  name: string | null;
  storageType: string | null;
  price: string | null;
  batchId: string | null;
  identifier: string | null;
  comboSku?: string | null;
  expireDate?: string | null;
}

export interface NotifiedParcel {
  shipmentNo: string;
  carrier: string | null;
  items: Omit<NotifiedUnits, 'stockType'>[];
}

/** Units that were ordered but will not be shipped. */
export interface NotifiedShort {
  skuId: string;
  qty: number;
}

/** Units that have arrived, as the warehouse found them. */
export interface NotifiedUnits {
  skuId: string;
  stockType: 'good' | 'bad';
  /** Empty: no batch. */
  batchId: string;
  expireDate: string | null;
  qty: number;
}

/** A document has reached a state. `sequence` numbers the events of a document, starting at 1. */
export interface CallbackEvent {
  eventId: string;
  event: string;
  sequence: number;
  occurredAt: Date;
  document: NotifiedDocument;
  /** The event has not happened: somebody tries a receiver. */
  isTest: boolean;
}

/** Formats an event as the body of a callback. The wording belongs to the contract, which the domain does not know. */
export type FormatCallback = (event: CallbackEvent) => string;

/** The contract's rules for test callbacks. */
export interface TestCallbackRules {
  /** The example of an event, for tests that are about no document. */
  exampleOf(event: string): { documentNo: string; format: FormatCallback };
  /** The number of tests that an account may send in a minute. */
  perMinuteMax: number;
}

/** Every statement on callbacks names their account. */
export interface CallbackKey {
  accountId: number;
  callbackId: number;
}

/** A receiver of an account, and the queue of its callbacks. */
export interface Lane {
  accountId: number;
  receiverId: string;
}

/** A lane as one word: `12:0b9d4c1e-...`. */
export type LaneName = `${number}:${string}`;

export function laneName({ accountId, receiverId }: Lane): LaneName {
  return `${accountId}:${receiverId}`;
}

export function laneOf(name: LaneName): Lane {
  const [accountId, receiverId] = name.split(':') as [string, string];
  return { accountId: Number(accountId), receiverId };
}

/** A callback as it is stored: its body is formatted once. */
export interface OwedCallback extends CallbackTarget {
  accountId: number;
  event: CallbackEvent;
  receiverId: string;
  receiverAddress: string;
  body: string;
  /** The id of the document whose body a test has, or 0 if it has an example; null: the callback is no test. */
  testOf: number | null;
}

export function owedCallback(
  document: NotifiedDocument,
  target: CallbackTarget,
  { sequence, now, format }: { sequence: number; now: Date; format: FormatCallback },
): OwedCallback {
  return toOwed(target, newEvent(document, { sequence, now, isTest: false }), format, null);
}

/** Each test is on its own: it neither waits for callbacks of a document nor makes them wait. */
export function owedTest(
  document: NotifiedDocument,
  target: CallbackTarget,
  { testOf, now, format }: { testOf: number; now: Date; format: FormatCallback },
): OwedCallback {
  return toOwed(target, newEvent(document, { sequence: 1, now, isTest: true }), format, testOf);
}

function newEvent(
  document: NotifiedDocument,
  { sequence, now, isTest }: { sequence: number; now: Date; isTest: boolean },
): CallbackEvent {
  return {
    eventId: newEventId(now.getTime()),
    event: `${document.type}.${document.status}`,
    sequence,
    occurredAt: now,
    document,
    isTest,
  };
}

function toOwed(
  target: CallbackTarget,
  event: CallbackEvent,
  format: FormatCallback,
  testOf: number | null,
): OwedCallback {
  const { accountId } = event.document;
  const receiverAddress = receiverAddressOf(target.url);
  return {
    ...target,
    accountId,
    event,
    receiverAddress,
    receiverId: receiverIdOf(accountId, receiverAddress),
    body: format(event),
    testOf,
  };
}

/** The address without its query, which may differ per document; documents with the same address share a receiver. */
export function receiverAddressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The same address in another account is another receiver, so that accounts do not wait for one another. */
export function receiverIdOf(accountId: number, receiverAddress: string): string {
  const hex = createHash('sha256').update(`${accountId} ${receiverAddress}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
