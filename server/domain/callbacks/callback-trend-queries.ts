import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { Lane } from './callback.ts';
import { latencyLimitsMs } from './latency.ts';

/** Results of a receiver that a worker records together. */
export interface CallbackCounts extends Lane {
  attempts: number;
  failed: number;
  delivered: number;
  givenUp: number;
  /** The number of responses in each class of response times. */
  latency: number[];
}

/**
 * Adds to the counts of this hour. The worker has locked these receivers, so no other one waits here; the order is the
 * same everywhere.
 */
export async function addCallbackCounts(tx: Tx, counts: CallbackCounts[]): Promise<void> {
  await perAccount(counts, (accountId, own) =>
    Promise.all(
      own
        .toSorted((one, other) => (one.receiverId < other.receiverId ? -1 : 1))
        .map(
          ({ receiverId, attempts, failed, delivered, givenUp, latency }) => tx`
            insert into callback_trend as t (account_id, hour, receiver_id, attempts, failed, delivered, given_up, latency)
            values (${accountId}, ${beginOfHour(new Date())}, ${receiverId}::uuid, ${attempts}, ${failed}, ${delivered}, ${givenUp},
              ${latency}::integer[])
            on conflict (account_id, hour, receiver_id) do update set attempts = t.attempts + excluded.attempts,
              failed = t.failed + excluded.failed, delivered = t.delivered + excluded.delivered,
              given_up = t.given_up + excluded.given_up, latency = ${tx.unsafe(latencySum)}`,
        ),
    ).then((): never[] => []),
  );
}

const latencySum = `array[${[...latencyLimitsMs, 0].map((_, place) => `t.latency[${place + 1}] + excluded.latency[${place + 1}]`).join(', ')}]`;

function beginOfHour(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 3_600_000) * 3_600_000);
}

/** All classes of response times, each added up. */
const latencySums = `array[${[...latencyLimitsMs, 0].map((_, place) => `sum(latency[${place + 1}])::bigint`).join(', ')}]`;

interface CallbackDaySum {
  /** A day in Taipei. */
  day: string;
  attempts: number;
  failed: number;
  latency: number[];
}

/** The attempts of these accounts by day in Taipei, of all receivers or of one. */
export async function sumCallbackDays(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { from, to, receiverId }: { from: Date; to: Date; receiverId: string | null },
): Promise<CallbackDaySum[]> {
  return await perAccount(accounts, (accountId) => {
    const isAsked = receiverId === null ? sql`true` : sql`receiver_id = ${receiverId}::uuid`;
    return sql<CallbackDaySum[]>`
      select (hour at time zone interval '8 hours')::date::text as day, sum(attempts)::float8 as attempts, sum(failed)::float8 as failed,
        ${sql.unsafe(latencySums)} as latency
      from callback_trend where account_id = ${accountId} and hour >= ${from} and hour < ${to} and ${isAsked} group by 1`;
  });
}

/** The counts of a receiver of an account over a span of time. */
type SummedCallbacks = CallbackCounts & { address: string };

/** Receivers with attempts in these hours, those with the most failed attempts first, at most so many of each account. */
export async function sumCallbacks(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<SummedCallbacks[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<SummedCallbacks[]>`
      select ${accountId}::bigint as "accountId", sums.receiver_id as "receiverId", coalesce(address, '') as address, sums.attempts, sums.failed,
        sums.delivered, sums."givenUp", sums.latency
      from (
        select receiver_id, sum(attempts)::float8 as attempts, sum(failed)::float8 as failed, sum(delivered)::float8 as delivered,
          sum(given_up)::float8 as "givenUp", ${sql.unsafe(latencySums)} as latency
        from callback_trend where account_id = ${accountId} and hour >= ${from} and hour < ${to}
        group by receiver_id order by sum(failed) desc, receiver_id limit ${limit}) sums
      left join callback_receiver r on r.account_id = ${accountId} and r.receiver_id = sums.receiver_id
      order by sums.failed desc, sums.receiver_id`,
  );
}
