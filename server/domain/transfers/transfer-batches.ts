import type { PendingPosition } from './transfer-queries.ts';

/** Finds up to `limit` orders of each account after the given position, the oldest first. */
export type FindPending = (beyond: PendingPosition[], limit: number) => Promise<PendingPosition[]>;

/** For all accounts together: more would take too much memory, and sorting them would block the event loop. */
const foundAtOnceMax = 50_000;
/** For each account, however many there are: smaller pages would need a query for almost every order. */
const pageMin = 10;

/** Yields the orders of many accounts by creation, in batches: reads pages of each account and merges them. */
export async function* batchesByCreation(
  accountIds: number[],
  findPending: FindPending,
  { pageMax, batchMax }: { pageMax: number; batchMax: number },
): AsyncGenerator<number[]> {
  const lanes = new Map(accountIds.map((accountId) => [accountId, newLane(accountId)]));
  let ready: PendingPosition[] = [];
  while (lanes.size > 0) {
    const limit = Math.min(pageMax, Math.max(pageMin, Math.floor(foundAtOnceMax / lanes.size)));
    // Lanes that are half empty are filled together with empty ones, which saves queries.
    const short = [...lanes.values()].filter((lane) => !lane.isLastPage && lane.found.length < limit / 2);
    const beyond = short.map((lane) => lane.last);
    const pages = Map.groupBy(await findPending(beyond, limit), (one) => one.accountId);
    for (const lane of short) fillLane(lane, pages.get(lane.last.accountId) ?? [], limit);

    ready = ready.concat(takeReady([...lanes.values()]).sort(byCreation));
    for (const [accountId, lane] of lanes) if (lane.isLastPage && lane.found.length === 0) lanes.delete(accountId);
    const fullBatches = Math.floor(ready.length / batchMax);
    for (let index = 0; index < fullBatches; index++)
      yield idsOf(ready.slice(index * batchMax, (index + 1) * batchMax));
    ready = ready.slice(fullBatches * batchMax);
  }
  if (ready.length > 0) yield idsOf(ready);
}

function idsOf(pending: PendingPosition[]): number[] {
  return pending.map((one) => one.orderId);
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

function fillLane(lane: Lane, page: PendingPosition[], limit: number): void {
  lane.found = lane.found.concat(page);
  lane.last = page.at(-1) ?? lane.last;
  lane.isLastPage = page.length < limit;
}

/** Takes the orders that no unread order can precede: those up to the first end of a page that may not be the last. */
function takeReady(lanes: Lane[]): PendingPosition[] {
  const [bound] = lanes
    .filter((lane) => !lane.isLastPage)
    .map((lane) => lane.last)
    .sort(byCreation);
  return lanes.flatMap((lane) => {
    const firstLater = bound === undefined ? -1 : lane.found.findIndex((one) => byCreation(one, bound) > 0);
    if (firstLater === 0) return [];
    return lane.found.splice(0, firstLater === -1 ? lane.found.length : firstLater);
  });
}

/** Timestamps in this text format sort by time. */
function byCreation(one: PendingPosition, other: PendingPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.orderId - other.orderId;
}
