import type { PendingBatch } from './transfer.ts';
import type { PendingPosition } from './transfer-queries.ts';

/** Finds up to `limit` orders of each account after the given position, the oldest first. */
export type FindPending = (beyond: PendingPosition[], limit: number) => Promise<PendingPosition[]>;

/** For all accounts together: more would take too much memory. */
const foundAtOnceMax = 50_000;
/** For each account, however many there are: smaller pages would need a query for almost every order. */
const pageMin = 10;

/**
 * Yields the orders of many accounts in batches of one account each. Accounts take turns with one batch each, so that
 * many orders of one account do not hold up the others; in each turn, the account whose order is oldest goes first.
 */
export async function* batchesInTurns(
  accountIds: number[],
  findPending: FindPending,
  { pageMax, batchMax }: { pageMax: number; batchMax: number },
): AsyncGenerator<PendingBatch> {
  let lanes = accountIds.map(newLane);
  while (lanes.length > 0) {
    const limit = Math.min(pageMax, Math.max(pageMin, Math.floor(foundAtOnceMax / lanes.length)));
    const empty = lanes.filter((lane) => lane.found.length === 0);
    if (empty.length > 0) await fillLanes(empty, findPending, limit);
    lanes = lanes.filter((lane) => lane.found.length > 0);

    for (const lane of lanes.toSorted((one, other) => byCreation(one.found[0]!, other.found[0]!))) {
      while (!lane.isLastPage && lane.found.length < batchMax) {
        const missing = batchMax - lane.found.length;
        await fillLanes([lane], findPending, Math.min(pageMax, Math.max(limit, missing)));
      }
      yield takeBatch(lane, batchMax);
    }
    lanes = lanes.filter((lane) => lane.found.length > 0 || !lane.isLastPage);
  }
}

/** The orders of one account that were read but not yet yielded, and the position of the last one. */
interface Lane {
  found: PendingPosition[];
  last: PendingPosition;
  isLastPage: boolean;
}

function newLane(accountId: number): Lane {
  return { found: [], last: { accountId, createdAt: '-infinity', orderId: 0 }, isLastPage: false };
}

async function fillLanes(lanes: Lane[], findPending: FindPending, limit: number): Promise<void> {
  const found = await findPending(
    lanes.map((lane) => lane.last),
    limit,
  );
  const pages = Map.groupBy(found, (one) => one.accountId);
  for (const lane of lanes) {
    const page = pages.get(lane.last.accountId) ?? [];
    lane.found = lane.found.concat(page);
    lane.last = page.at(-1) ?? lane.last;
    lane.isLastPage = page.length < limit;
  }
}

function takeBatch(lane: Lane, batchMax: number): PendingBatch {
  const orderIds = lane.found.splice(0, batchMax).map((one) => one.orderId);
  return { accountId: lane.last.accountId, orderIds };
}

/** Timestamps in this text format sort by time. */
function byCreation(one: PendingPosition, other: PendingPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.orderId - other.orderId;
}
