import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { hasEndedWithRecipient, productionAccounts } from './erase-queries.ts';
import { endedBeforeOf } from './erasure-report.ts';

/** Orders of production accounts that have ended and still have their recipient, by the days since their end. */
export interface RecipientsOfAge {
  fromDays: number;
  /** null: no limit. */
  toDays: number | null;
  count: number;
  isMore: boolean;
}

const ageLimitsDays = [0, 30, 90, 180, 365];
/** In one account and age. */
const countMax = 10_000;

export async function countRecipients(sql: Sql, now: Date): Promise<RecipientsOfAge[]> {
  const accounts = await productionAccounts(sql);
  const own = sql.forAccounts(accountsOf(accounts));
  const ages = ageLimitsDays.map((fromDays, index) => ({ fromDays, toDays: ageLimitsDays[index + 1] ?? null }));
  const from = ages.map(({ toDays }) => (toDays === null ? '-infinity' : endedBeforeOf(now, toDays).toISOString()));
  const to = ages.map(({ fromDays }) => (fromDays === 0 ? 'infinity' : endedBeforeOf(now, fromDays).toISOString()));
  const rows = await perAccount(
    accounts,
    (accountId) => own<{ age: number; count: number }[]>`
      select age::integer, count from unnest(${from}::timestamptz[], ${to}::timestamptz[]) with ordinality as wanted(since, until, age)
      cross join lateral (
        select count(*)::integer as count from (
          select from orders where account_id = ${accountId} and ${hasEndedWithRecipient(own)} and updated_at >= since and updated_at < until
          limit ${countMax + 1}) ended
      ) counted`,
  );
  return ages.map((age, index) => {
    const counts = rows.filter((row) => row.age === index + 1).map((row) => row.count);
    return {
      ...age,
      count: counts.reduce((sum, count) => sum + Math.min(count, countMax), 0),
      isMore: counts.some((count) => count > countMax),
    };
  });
}
