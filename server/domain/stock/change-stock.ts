import type { Database } from '../../platform/postgres/database.ts';
import { isUniqueViolation } from '../../platform/postgres/errors.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { distinctLotKeys, lotKeyText } from './lot.ts';
import type { Cause, Movement } from './movement.ts';
import { findShelves } from './shelf-queries.ts';
import {
  type ChangedLot,
  type ChangeMistake,
  type LotChange,
  lotKeysOf,
  type PlannedChange,
  planChange,
} from './stock-change.ts';
import { findStockChange, type StockChangeName, writeStockChange } from './stock-change-queries.ts';
import { lockLotsByKey, type NewLot, recordMovements, takeLotIds } from './stock-queries.ts';

export interface StockChange {
  accountId: number;
  changes: LotChange[];
  /** With a number, a repeat gets the same result. null: each call counts. */
  name: StockChangeName | null;
  cause: Cause;
}

export type StockChangeOutcome<Refused = never> =
  | { kind: 'changed'; lots: ChangedLot[] }
  /** The number exists with the same content: nothing changes, and the lots are as they were after the first call. */
  | { kind: 'repeated'; lots: ChangedLot[] }
  /** The number exists with different content. */
  | { kind: 'conflict' }
  | { kind: 'refused'; mistakes: ChangeMistake<ChangeMistake['refused'] | Refused>[] };

/**
 * A lot, or the number of the change, that somebody else has just created: it stays, so the next attempt finds it.
 * Lots of several lines can be created by as many others.
 */
const triesMax = 5;

/**
 * Changes lots as people or partners say, all or none. Every correction, regrade, adjustment and move ends here. Units
 * that were not recorded may create a lot.
 */
export async function changeStock(database: Database, change: StockChange): Promise<StockChangeOutcome> {
  return await creatingLots(database, change.accountId, (tx) => changeLots(tx, change));
}

/** Runs a transaction with `changeLots`, again if somebody else has created the same lot or number. */
export async function creatingLots<Outcome>(
  database: Database,
  accountId: number,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction([accountId], work);
    } catch (error) {
      if (!isUniqueViolation(error) || tries === triesMax) throw error;
    }
  }
}

/** The same within a transaction that changes more; see `creatingLots`. */
export async function changeLots(
  tx: Tx,
  { accountId, changes, name, cause }: StockChange,
): Promise<StockChangeOutcome> {
  const shelves = await findShelves(
    tx,
    accountId,
    changes.map(({ lot }) => lot),
  );
  const lots = await lockLotsByKey(tx, distinctLotKeys(lotKeysOf(accountId, changes, shelves)));
  // Only now: a repeat that waited for the lots of the original must find its number.
  const original = name && (await findStockChange(tx, accountId, name.referenceNo));

  if (name && original) {
    const isSame = original.payloadDigest === name.payloadDigest;
    return isSame ? { kind: 'repeated', lots: original.lots } : { kind: 'conflict' };
  }
  const plan = planChange(accountId, changes, shelves, lots);
  if (plan.kind === 'refused') return plan;

  const { planned, results } = plan;
  const newLots = await openLots(tx, planned);
  const movements = planned.map((one) => movementOf(one, newLots, cause));
  if (name) await writeStockChange(tx, accountId, { ...name, lots: results, cause }, movements, newLots);
  else await recordMovements(tx, movements, newLots);
  return { kind: 'changed', lots: results };
}

async function openLots(tx: Tx, planned: PlannedChange[]): Promise<NewLot[]> {
  const keys = distinctLotKeys(planned.filter(({ lotId }) => lotId === null).map(({ key }) => key));
  if (keys.length === 0) return [];
  const lotIds = await takeLotIds(tx, keys.length);
  return keys.map((key, index) => ({ ...key, lotId: lotIds[index]! }));
}

function movementOf({ change, key, lotId, delta }: PlannedChange, newLots: NewLot[], cause: Cause): Movement {
  const opened = () => newLots.find((lot) => lotKeyText(lot) === lotKeyText(key))!.lotId;
  return {
    accountId: key.accountId,
    lotId: lotId ?? opened(),
    kind: 'adjust',
    onHandDelta: delta,
    lockedDelta: 0,
    cause,
    reason: change.reason,
    ...(change.otherWarehouseNo === undefined ? {} : { otherWarehouseNo: change.otherWarehouseNo }),
  };
}
