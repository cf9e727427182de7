import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import { freeOf } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import {
  type LockedInbound,
  type LotBalance,
  lockInboundsByNumber,
  lockLotsOfInbounds,
  type MovedInbound,
  moveInbounds,
  type ReceivedUnits,
  unitsBroughtByInbounds,
} from './inbound-queries.ts';

export interface CancelInboundsRequest {
  accountId: number;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelInboundOutcome = { kind: 'cancelled' } | { kind: 'not_found' } | { kind: 'too_late'; status: InboundStatus };

/** Cancels inbound documents and returns, and takes back what came with their creation; each number has its own outcome, in the order given. */
export const cancelInbounds: GroupOperation<CancelInboundsRequest, CancelInboundOutcome[]> = {
  name: 'cancel_inbounds',
  run,
  weightOf: ({ partnerNumbers }) => partnerNumbers.length,
};

async function run(tx: Tx, requests: CancelInboundsRequest[]): Promise<Decision<CancelInboundOutcome[][]>> {
  const names = requests.flatMap(({ accountId, partnerNumbers }) => partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber })));
  const [documents, received, lots] = await Promise.all([
    lockInboundsByNumber(tx, names),
    unitsBroughtByInbounds(tx, names),
    lockLotsOfInbounds(tx, names),
  ]);

  const { outcomes, cancelled, retractions } = decide(requests, documents, received, lots);

  const writes: Promise<unknown>[] = [];
  if (cancelled.length > 0) writes.push(moveInbounds(tx, 'cancel', cancelled));
  if (retractions.length > 0) writes.push(recordMovements(tx, retractions));
  return { answer: outcomes, writes };
}

function decide(requests: CancelInboundsRequest[], found: LockedInbound[], received: ReceivedUnits[], lots: LotBalance[]) {
  const nameOf = (accountId: number, partnerNumber: string) => `${accountId}/${partnerNumber}`;
  const documents = new Map(found.map((document) => [nameOf(document.accountId, document.partnerNumber), document]));
  const unitsOf = Map.groupBy(received, (units) => units.inboundId);
  const free = new Map(lots.map((lot) => [lot.lotId, freeOf(lot)]));
  const cancelled: MovedInbound[] = [];
  const retractions: Movement[] = [];

  function cancel(document: LockedInbound | undefined, cause: Cause): CancelInboundOutcome {
    if (!document) return { kind: 'not_found' };
    if (document.status === 'cancelled') return { kind: 'cancelled' };
    const units = unitsOf.get(document.inboundId) ?? [];
    if (!isCancellable(document, units, free)) return { kind: 'too_late', status: document.status };
    cancelled.push({ ...document, cause });
    document.status = 'cancelled';
    for (const { lotId, qty } of units) {
      free.set(lotId, free.get(lotId)! - qty);
      retractions.push(retractMovement(document, lotId, qty, cause));
    }
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map(({ accountId, partnerNumbers, cause }) =>
    partnerNumbers.map((partnerNumber) => cancel(documents.get(nameOf(accountId, partnerNumber)), cause)),
  );
  return { outcomes, cancelled, retractions };
}

/** Units of a lot are alike: a document's own are untouched as long as so many are still free there. */
function isCancellable({ status, receiving }: LockedInbound, units: ReceivedUnits[], free: Map<number, number>): boolean {
  if (inboundAfter(status, 'cancel') === null) return false;
  if (status === 'expected') return true;
  if (receiving !== 'on_create') return false;
  return units.every(({ lotId, qty }) => free.get(lotId)! >= qty);
}

function retractMovement({ accountId, inboundId }: LockedInbound, lotId: number, qty: number, cause: Cause): Movement {
  return { accountId, lotId, kind: 'retract', onHandDelta: -qty, lockedDelta: 0, inboundId, cause };
}
