import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { accountsOf } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { accountIdsOf } from '../partners/partner-queries.ts';
import type { Lane } from './callback.ts';

export interface DueLane extends Lane {
  dueInSeconds: number;
  /** The receiver has accepted the last callback. */
  isResponsive: boolean;
}

/** Lanes of an account whose receiver ids come after this one. */
export interface LanePosition {
  accountId: number;
  afterReceiverId: string;
}

/** The positions at which a search for lanes goes on; `all`: it begins, in all accounts. */
export type LaneSearch = LanePosition[] | 'all';

export interface FoundLanes {
  lanes: DueLane[];
  /** The accounts that have more lanes. */
  next: LanePosition[];
}

/** Comes before the receiver ids of all lanes. */
export const firstLane = '00000000-0000-0000-0000-000000000000';

export function startOf(accountId: number): LanePosition {
  return { accountId, afterReceiverId: firstLane };
}

/**
 * Lanes with queued callbacks, at most `perAccountMax` of each account, and when their first callback may be sent. Takes
 * one round trip for all accounts together, and one more to learn which there are.
 */
export async function findLanes(sql: Sql | Tx, search: LaneSearch, perAccountMax: number): Promise<FoundLanes> {
  const positions = search === 'all' ? (await accountIdsOf(sql, null)).map(startOf) : search;
  const own = sql.forAccounts(accountsOf(positions));
  const found = await Promise.all(positions.map((position) => findLanesOf(own, position, perAccountMax)));
  const next = found
    .filter((ofAccount) => ofAccount.length === perAccountMax)
    .map((ofAccount) => ofAccount.at(-1)!)
    .map(({ accountId, receiverId }) => ({ accountId, afterReceiverId: receiverId }));
  return { lanes: found.flat(), next };
}

/** In the order of their receivers. Takes one index step per receiver, however long its queue is. */
async function findLanesOf(
  sql: Sql | Tx,
  { accountId, afterReceiverId }: LanePosition,
  countMax: number,
): Promise<DueLane[]> {
  return await sql<DueLane[]>`
    with recursive lane as (
      (select receiver_id, 1 as place from callback_delivery
        where account_id = ${accountId} and receiver_id > ${afterReceiverId}::uuid order by receiver_id limit 1)
      union all
      select following.receiver_id, place + 1 from lane
      cross join lateral (
        select receiver_id from callback_delivery
        where account_id = ${accountId} and receiver_id > lane.receiver_id order by receiver_id limit 1
      ) following
      where place < ${countMax}::integer
    )
    select ${camelColumns('account_id, receiver_id')}, failures = 0 and last_success_at is not null as "isResponsive",
      (case when paused then 'infinity' else extract(epoch from greatest(due_at, open_until)) end - extract(epoch from now()))::float8
        as "dueInSeconds"
    from lane
    cross join lateral (
      select due_at from callback_delivery where account_id = ${accountId} and receiver_id = lane.receiver_id order by due_at limit 1
    ) first
    cross join lateral (
      select account_id, paused, open_until, failures, last_success_at from callback_receiver
      where account_id = ${accountId} and receiver_id = lane.receiver_id offset 0
    ) receiver
    order by receiver_id`;
}

const undeliveredLookedAtMax = 1000;

/** Age of the oldest queued callback, judged by id: only 1,000 rows of each account are read. 0: the queue is empty. */
export async function oldestUndeliveredSeconds(sql: Sql): Promise<number> {
  const accountIds = await accountIdsOf(sql, null);
  const own = sql.forAccounts(accountIds);
  const oldest = await Promise.all(accountIds.map((accountId) => oldestOf(own, accountId)));
  return longestOf(oldest.flat().map(({ seconds }) => seconds));
}

function oldestOf(sql: Sql, accountId: number) {
  return sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as seconds
    from (
      select queued_at from callback_delivery where account_id = ${accountId}
      order by callback_id limit ${undeliveredLookedAtMax}::integer) oldest`;
}

const lanesLookedAtMax = 200;

/** How long the first due callback for a responsive receiver has waited for a worker. 0: none waits. */
export async function longestDueSeconds(sql: Sql): Promise<number> {
  const { lanes } = await findLanes(sql, 'all', lanesLookedAtMax);
  return longestOf(lanes.filter((lane) => lane.isResponsive).map((lane) => -lane.dueInSeconds));
}

function longestOf(seconds: number[]): number {
  return seconds.reduce((longest, one) => Math.max(longest, one), 0);
}
