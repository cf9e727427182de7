import { contentDigest } from '../../platform/content-digest.ts';
import { randomHex } from '../../platform/ids.ts';
import { statesLeadingTo } from '../../platform/state-moves.ts';

/**
 * Where an inbound document may go from each state. From `received` it may be cancelled only where its units came with its creation and
 * are all still there.
 */
export const inboundMoves = {
  expected: ['receiving', 'received', 'cancelled', 'stopped'],
  receiving: ['received', 'stopped'],
  received: ['cancelled'],
  cancelled: [],
  stopped: [],
} as const;
export type InboundStatus = keyof typeof inboundMoves;
export const inboundStatuses = Object.keys(inboundMoves) as InboundStatus[];
export const inboundKinds = ['inbound', 'return'] as const;
export type InboundKind = (typeof inboundKinds)[number];
export const inboundChannels = ['warehouse', 'logistics'] as const;
export type InboundChannel = (typeof inboundChannels)[number];

export function statesBefore(to: InboundStatus): InboundStatus[] {
  return statesLeadingTo<InboundStatus>(inboundMoves, to);
}

export interface ExpectedUnits {
  skuId: string;
  expireDate: string;
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
