import { createHash } from 'node:crypto';
import { newEventId } from '../../platform/ids.ts';

export const callbackStatuses = ['pending', 'delivered', 'failed'] as const;
export type CallbackStatus = (typeof callbackStatuses)[number];
export const documentTypes = ['order', 'inbound', 'return'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Where a document's callbacks go, and which key of the account signs them. */
export interface CallbackTarget {
  keyName: string;
  url: string;
}

/** The document that something happened to, as its partner is told of it. */
export interface ToldDocument {
  accountId: number;
  type: DocumentType;
  documentId: number;
  /** The partner's number, which is unique. */
  partnerNumber: string;
  /** The partner's other number. */
  internalNo: string;
  /** Of an order: its number in the shop. */
  name: string | null;
  ourNo: string;
  status: string;
  shipmentNo: string | null;
  carrier: string | null;
  items: ToldItem[];
  /** Of an inbound or return form: what has arrived of it. */
  received?: ToldUnits[];
  note: string | null;
}

export interface ToldItem {
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

/** Units that have arrived, as they were found. */
export interface ToldUnits {
  skuId: string;
  stockType: 'good' | 'bad';
  /** Empty: of no batch. */
  batchId: string;
  expireDate: string | null;
  qty: number;
}

/** That a document has reached a state: the how-manieth of its callbacks, with a number of its own. */
export interface CallbackEvent {
  eventId: string;
  event: string;
  sequence: number;
  occurredAt: Date;
  document: ToldDocument;
}

/** How an event is put into the body of a callback: the words of the contract, which the domain does not know. */
export type WordCallback = (event: CallbackEvent) => string;

/** A callback as it is to be kept: its body is made once. */
export interface OwedCallback extends CallbackTarget {
  event: CallbackEvent;
  receiverId: string;
  receiverAddress: string;
  body: string;
}

export function owedCallback(
  document: ToldDocument,
  target: CallbackTarget,
  { sequence, now, word }: { sequence: number; now: Date; word: WordCallback },
): OwedCallback {
  const event = {
    eventId: newEventId(now.getTime()),
    event: `${document.type}.${document.status}`,
    sequence,
    occurredAt: now,
    document,
  };
  const receiverAddress = receiverAddressOf(target.url);
  return { ...target, event, receiverAddress, receiverId: receiverIdOf(document.accountId, receiverAddress), body: word(event) };
}

/** Without its query, which may differ from document to document: so much is one receiver. */
export function receiverAddressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The same address of another account is another receiver: accounts do not wait for one another. */
export function receiverIdOf(accountId: number, receiverAddress: string): string {
  const hex = createHash('sha256').update(`${accountId} ${receiverAddress}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
