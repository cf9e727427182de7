import { randomHex } from '../../platform/ids.ts';
import { contentDigest } from '../../platform/json/content-digest.ts';
import { type StateMoves, statesAllowing } from '../../platform/state-moves.ts';
import type { CallbackTarget } from '../callbacks/callback.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { Cause } from '../stock/movement.ts';

/**
 * The events of an inbound document: a part of it arrives, all of it has arrived, the rest is no longer expected, or it
 * is cancelled. A `received` document can be cancelled only if it was received on creation and all of its units are
 * still there.
 */
export const inboundEvents = ['receive', 'complete', 'stop', 'cancel'] as const;
export type InboundEvent = (typeof inboundEvents)[number];

export const inboundMoves = {
  expected: { receive: 'receiving', complete: 'received', stop: 'stopped', cancel: 'cancelled' },
  receiving: { receive: 'receiving', complete: 'received', stop: 'stopped' },
  received: { cancel: 'cancelled' },
  cancelled: {},
  stopped: {},
} as const satisfies StateMoves<string, InboundEvent>;
export type InboundStatus = keyof typeof inboundMoves;
export const inboundStatuses = Object.keys(inboundMoves) as InboundStatus[];
export const inboundKinds = ['inbound', 'return'] as const;
export type InboundKind = (typeof inboundKinds)[number];
export const inboundChannels = ['warehouse', 'logistics'] as const;
export type InboundChannel = (typeof inboundChannels)[number];

/** The state after an event; null if the event cannot happen in this state. */
export function inboundAfter(status: InboundStatus, event: InboundEvent): InboundStatus | null {
  return (inboundMoves as StateMoves<InboundStatus, InboundEvent>)[status][event] ?? null;
}

/** Whether its state allows it; units that were received on creation must still be there. */
export function mayBeCancelled({
  status,
  receiving,
}: {
  status: InboundStatus;
  receiving: Tenant['receiving'];
}): boolean {
  return inboundAfter(status, 'cancel') !== null && (status === 'expected' || receiving === 'on_create');
}

/** The states in which the event can happen. */
export function inboundStatesAllowing(event: InboundEvent): InboundStatus[] {
  return statesAllowing<InboundStatus, InboundEvent>(inboundMoves, event);
}

export interface ExpectedUnits {
  skuId: string;
  /** null: the units do not expire. */
  expireDate: string | null;
  /** Absent: the units have no batch, or it is not known yet. */
  batchId?: string;
  qty: number;
}

/** The content of an inbound document apart from its number. */
export interface InboundContent {
  kind: InboundKind;
  warehouseTpwId: string;
  estimatedArrivalMs: number | null;
  originalOrderNumber: string | null;
  lines: ExpectedUnits[];
}

/** An inbound document to create; tenant and products have been looked up. */
export interface InboundRequest {
  accountId: number;
  kind: InboundKind;
  partnerNumber: string;
  payloadDigest: string;
  /** null: the account has no such tenant. */
  tenant: Tenant | null;
  /** Where its callbacks go; null: nowhere. */
  callback: CallbackTarget | null;
  /** productId is null if the product is not registered. */
  lines: (ExpectedUnits & { productId: number | null })[];
  estimatedArrivalMs: number | null;
  originalOrderNumber: string | null;
  cause: Cause;
}

/** Two requests with the same content have the same digest, whatever the order of their fields. */
export function inboundDigest({
  kind,
  warehouseTpwId,
  estimatedArrivalMs,
  originalOrderNumber,
  lines,
}: InboundContent): string {
  return contentDigest([
    [kind, warehouseTpwId, estimatedArrivalMs, originalOrderNumber],
    // Without a batch as before there were batches, so that a repeat is recognized.
    lines.map(({ skuId, expireDate, batchId, qty }) => [skuId, expireDate, qty, ...(batchId ? [batchId] : [])]),
  ]);
}

const documentNoRandomBytes = 10;

/** Our own number for an inbound document. */
export function newInboundNo(): string {
  return `si_${randomHex(documentNoRandomBytes)}`;
}
