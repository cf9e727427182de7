import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { freeOf } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { alsoOfAccounts, findFormNotifications } from './form-notifications.ts';
import { type InboundStatus, mayBeCancelled } from './inbound-document.ts';
import {
  type BroughtUnits,
  cancellableInbounds,
  findInboundSizes,
  type InboundName,
  type LockedInbound,
  type LotBalance,
  lockInboundsByName,
  lockLotsOfInbounds,
  moveInbounds,
  nameText,
  unitsBroughtBy,
} from './inbound-queries.ts';

export interface CancelInboundsRequest {
  accountId: number;
  /** The numbers are those of forms of the logistics webhook. */
  isLogistics?: boolean;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelInboundOutcome =
  | { kind: 'cancelled' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: InboundStatus };

export type CancelInbounds = GroupOperation<CancelInboundsRequest, CancelInboundOutcome[]>;

/**
 * Cancels inbound documents and returns, retracts the units received on creation, and queues the callbacks.
 * Each number has its own outcome, in the given order.
 */
export function makeCancelInbounds({
  clock,
  formatCallback,
}: {
  clock: Clock;
  formatCallback: FormatCallback;
}): CancelInbounds {
  async function run(tx: Tx, requests: CancelInboundsRequest[]): Promise<Decision<CancelInboundOutcome[][]>> {
    const names = requests.flatMap(namesOf);
    const forms = names.filter((name) => name.isLogistics);
    const [documents, brought, lots, ofLogistics] = await Promise.all([
      lockInboundsByName(tx, names),
      unitsBroughtBy(tx, cancellableInbounds(tx, names)),
      lockLotsOfInbounds(tx, cancellableInbounds(tx, names)),
      findFormNotifications(tx, cancellableInbounds(tx, forms)),
    ]);

    const { outcomes, cancelled, retractions } = decide(requests, documents, brought, lots);
    const notifications = await alsoOfAccounts(tx, ofLogistics, cancelled);
    // A cancelled document has no received units: they have been retracted.
    const owed = cancelled.flatMap((document) =>
      notifications.callbackFor(
        { ...document, status: 'cancelled', arrived: [] },
        { now: clock.now(), format: formatCallback },
      ),
    );

    const writes: Promise<unknown>[] = [];
    if (cancelled.length > 0) writes.push(moveInbounds(tx, cancelled));
    if (retractions.length > 0) writes.push(recordMovements(tx, retractions));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'cancel_inbounds', run, weightOf: ({ partnerNumbers }) => partnerNumbers.length };
}

export function findSizesOfInbounds(database: Database) {
  return (request: CancelInboundsRequest, countMax: number) =>
    database.read([request.accountId], (sql) => findInboundSizes(sql, request.accountId, namesOf(request), countMax));
}

function namesOf({ accountId, partnerNumbers, isLogistics = false }: CancelInboundsRequest): InboundName[] {
  return partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber, isLogistics }));
}

/** The document before the change. */
type CancelledInbound = LockedInbound & { event: 'cancel'; cause: Cause };

function decide(
  requests: CancelInboundsRequest[],
  found: LockedInbound[],
  brought: BroughtUnits[],
  lots: LotBalance[],
) {
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

  const outcomes = requests.map((request) =>
    namesOf(request).map((name) => cancel(documents.get(nameText(name)), request.cause)),
  );
  return { outcomes, cancelled, retractions };
}

/**
 * Units of a lot are interchangeable: the document's units count as untouched as long as that many are free in the lot.
 */
function isCancellable(document: LockedInbound, units: BroughtUnits[], free: Map<number, number>): boolean {
  if (!mayBeCancelled(document)) return false;
  if (document.status === 'expected') return true;
  return units.every(({ lotId, qty }) => free.get(lotId)! >= qty);
}

function retractMovement({ accountId, inboundId }: LockedInbound, lotId: number, qty: number, cause: Cause): Movement {
  return { accountId, lotId, kind: 'retract', onHandDelta: -qty, lockedDelta: 0, inboundId, cause };
}
