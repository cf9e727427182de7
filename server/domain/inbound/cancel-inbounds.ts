import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import type { WordCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { freeOf } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import {
  type BroughtUnits,
  cancellableIds,
  type InboundName,
  type LockedInbound,
  type LotBalance,
  lockInboundsByName,
  lockLotsOfInbounds,
  moveInbounds,
  nameText,
  unitsBroughtBy,
} from './inbound-queries.ts';
import { findTold } from './told-form.ts';

export interface CancelInboundsRequest {
  accountId: number;
  /** The numbers are those of forms of the logistics webhook. */
  isLogistics?: boolean;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelInboundOutcome = { kind: 'cancelled' } | { kind: 'not_found' } | { kind: 'too_late'; status: InboundStatus };

export type CancelInbounds = GroupOperation<CancelInboundsRequest, CancelInboundOutcome[]>;

/**
 * Cancels inbound documents and returns, takes back what came with their creation, and owes the callbacks of forms; each number has its
 * own outcome, in the order given.
 */
export function makeCancelInbounds({ clock, wordCallback }: { clock: Clock; wordCallback: WordCallback }): CancelInbounds {
  async function run(tx: Tx, requests: CancelInboundsRequest[]): Promise<Decision<CancelInboundOutcome[][]>> {
    const names = requests.flatMap(namesOf);
    const forms = names.filter((name) => name.isLogistics);
    const [documents, brought, lots, told] = await Promise.all([
      lockInboundsByName(tx, names),
      unitsBroughtBy(tx, cancellableIds(tx, names)),
      lockLotsOfInbounds(tx, cancellableIds(tx, names)),
      findTold(tx, forms.length > 0 ? cancellableIds(tx, forms) : null),
    ]);

    const { outcomes, cancelled, retractions } = decide(requests, documents, brought, lots);
    // Of what is cancelled nothing has arrived: what had come was taken back.
    const owed = cancelled.flatMap((document) =>
      told.callbackFor({ ...document, status: 'cancelled', arrived: [] }, { now: clock.now(), word: wordCallback }),
    );

    const writes: Promise<unknown>[] = [];
    if (cancelled.length > 0) writes.push(moveInbounds(tx, cancelled));
    if (retractions.length > 0) writes.push(recordMovements(tx, retractions));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'cancel_inbounds', run, weightOf: ({ partnerNumbers }) => partnerNumbers.length };
}

function namesOf({ accountId, partnerNumbers, isLogistics = false }: CancelInboundsRequest): InboundName[] {
  return partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber, isLogistics }));
}

/** As it was before. */
type CancelledInbound = LockedInbound & { event: 'cancel'; cause: Cause };

function decide(requests: CancelInboundsRequest[], found: LockedInbound[], brought: BroughtUnits[], lots: LotBalance[]) {
  const documents = new Map(found.map((document) => [nameText(document), document]));
  const unitsOf = Map.groupBy(brought, (units) => units.inboundId);
  const free = new Map(lots.map((lot) => [lot.lotId, freeOf(lot)]));
  const cancelled: CancelledInbound[] = [];
  const retractions: Movement[] = [];

  function cancel(document: LockedInbound | undefined, cause: Cause): CancelInboundOutcome {
    if (!document) return { kind: 'not_found' };
    if (document.status === 'cancelled') return { kind: 'cancelled' };
    const units = unitsOf.get(document.inboundId) ?? [];
    if (!isCancellable(document, units, free)) return { kind: 'too_late', status: document.status };
    cancelled.push({ ...document, event: 'cancel', cause });
    document.status = 'cancelled';
    for (const { lotId, qty } of units) {
      free.set(lotId, free.get(lotId)! - qty);
      retractions.push(retractMovement(document, lotId, qty, cause));
    }
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map((request) => namesOf(request).map((name) => cancel(documents.get(nameText(name)), request.cause)));
  return { outcomes, cancelled, retractions };
}

/** Units of a lot are alike: a document's own are untouched as long as so many are still free there. */
function isCancellable({ status, receiving }: LockedInbound, units: BroughtUnits[], free: Map<number, number>): boolean {
  if (inboundAfter(status, 'cancel') === null) return false;
  if (status === 'expected') return true;
  if (receiving !== 'on_create') return false;
  return units.every(({ lotId, qty }) => free.get(lotId)! >= qty);
}

function retractMovement({ accountId, inboundId }: LockedInbound, lotId: number, qty: number, cause: Cause): Movement {
  return { accountId, lotId, kind: 'retract', onHandDelta: -qty, lockedDelta: 0, inboundId, cause };
}
