import { contentDigest } from '../../platform/content-digest.ts';
import { randomHex } from '../../platform/ids.ts';
import { type StateMoves, statesAllowing } from '../../platform/state-moves.ts';

/**
 * What may happen to an inbound document: a part of it arrives, all that is to come has come, the rest is not waited for, it is not wanted.
 * From `received` it may be cancelled only where its units came with its creation and are all still there.
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

/** Where the event leads from here; null where it cannot happen. */
export function inboundAfter(status: InboundStatus, event: InboundEvent): InboundStatus | null {
  return (inboundMoves as StateMoves<InboundStatus, InboundEvent>)[status][event] ?? null;
}

/** The states in which this may happen to an inbound document. */
export function inboundStatesAllowing(event: InboundEvent): InboundStatus[] {
  return statesAllowing<InboundStatus, InboundEvent>(inboundMoves, event);
}

export interface ExpectedUnits {
  skuId: string;
  /** null: they do not expire. */
  expireDate: string | null;
  qty: number;
}

/** What a partner says of an inbound document, beside its number. */
export interface InboundContent {
  kind: InboundKind;
  warehouseTpwId: string;
  estimatedArrivalMs: number | null;
  originalOrderNumber: string | null;
  lines: ExpectedUnits[];
}

/** Tells whether a repeat says the same as the original, whatever the order of its fields. */
export function inboundDigest({ kind, warehouseTpwId, estimatedArrivalMs, originalOrderNumber, lines }: InboundContent): string {
  return contentDigest([
    [kind, warehouseTpwId, estimatedArrivalMs, originalOrderNumber],
    lines.map(({ skuId, expireDate, qty }) => [skuId, expireDate, qty]),
  ]);
}

const documentNoRandomBytes = 10;

/** Our own number of an inbound document. */
export function newInboundNo(): string {
  return `si_${randomHex(documentNoRandomBytes)}`;
}
