import type { PendingPlace } from './transfer-queries.ts';

/** Looks up so many orders of each account beyond a given one, the oldest first. */
export type FindPending = (beyond: PendingPlace[], limit: number) => Promise<PendingPlace[]>;

/** Over all accounts: more would take too much memory, and too long to sort while everything else waits. */
const foundAtOnceMax = 50_000;
/** However many accounts there are: with fewer, there would be a look for almost every order. */
const pageMin = 10;

/** Orders of many accounts in the order of their creation, in batches: a page of each account at a time, merged. */
export async function* batchesByCreation(
  accountIds: number[],
  findPending: FindPending,
  { pageMax, batchMax }: { pageMax: number; batchMax: number },
): AsyncGenerator<number[]> {
  const lanes = new Map(accountIds.map((accountId) => [accountId, newLane(accountId)]));
  let ready: PendingPlace[] = [];
  while (lanes.size > 0) {
    const limit = Math.min(pageMax, Math.max(pageMin, Math.floor(foundAtOnceMax / lanes.size)));
    const short = [...lanes.values()].filter((lane) => !lane.isLastPage && lane.found.length < limit / 2);
    const beyond = short.map((lane) => lane.last);
    const pages = Map.groupBy(await findPending(beyond, limit), (place) => place.accountId);
    for (const lane of short) fillLane(lane, pages.get(lane.last.accountId) ?? [], limit);

    ready = ready.concat(takeReady([...lanes.values()]).sort(byCreation));
    for (const [accountId, lane] of lanes) if (lane.isLastPage && lane.found.length === 0) lanes.delete(accountId);
    const fullBatches = Math.floor(ready.length / batchMax);
    for (let index = 0; index < fullBatches; index++) yield idsOf(ready.slice(index * batchMax, (index + 1) * batchMax));
    ready = ready.slice(fullBatches * batchMax);
  }
  if (ready.length > 0) yield idsOf(ready);
}

function idsOf(places: PendingPlace[]): number[] {
  return places.map((place) => place.orderId);
}

/** What was found of an account, and how far. Those that will soon be empty are filled together with those that are, so that looks are few. */
interface Lane {
  found: PendingPlace[];
  last: PendingPlace;
  isLastPage: boolean;
}

function newLane(accountId: number): Lane {
  return { found: [], last: { accountId, createdAt: '-infinity', orderId: 0 }, isLastPage: false };
}

function fillLane(lane: Lane, page: PendingPlace[], limit: number): void {
  lane.found = lane.found.concat(page);
  lane.last = page.at(-1) ?? lane.last;
  lane.isLastPage = page.length < limit;
}

/** Of an account whose page was full there may be more, and so nothing behind its last one has its turn yet. */
function takeReady(lanes: Lane[]): PendingPlace[] {
  const [bound] = lanes
    .filter((lane) => !lane.isLastPage)
    .map((lane) => lane.last)
    .sort(byCreation);
  return lanes.flatMap((lane) => {
    const firstLater = bound === undefined ? -1 : lane.found.findIndex((place) => byCreation(place, bound) > 0);
    if (firstLater === 0) return [];
    return lane.found.splice(0, firstLater === -1 ? lane.found.length : firstLater);
  });
}

/** The text of an instant sorts as the instant does. */
function byCreation(one: PendingPlace, other: PendingPlace): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.orderId - other.orderId;
}
