import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';

/** Units on hand that expire in a month. */
export interface ExpiringUnits {
  /** 2026-11; `expired`: before today. */
  month: string;
  stockType: 'good' | 'bad';
  units: number;
}

export interface ExpiringStock {
  months: ExpiringUnits[];
  /** Only so many lots of an account are read. Of some account, lots that expire after this day may be missing; null: none are. */
  completeUntil: string | null;
}

/** Reads at most `limit` lots of each account, those that expire first. Stock without an expiry date is left out. */
export async function sumExpiringUnits(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { today, before, warehouseNos }: { today: string; before: string; warehouseNos: number[] | null },
  limit: number,
): Promise<ExpiringStock> {
  const found = await perAccount(
    accounts,
    (accountId) => sql<{ months: ExpiringUnits[] | null; completeUntil: string | null }[]>`
      with first as (
        select expire_date, warehouse_no, stock_type, on_hand from lot
        where account_id = ${accountId} and on_hand > 0 and expire_date < ${before}::date
        order by expire_date, sku_id, lot_id limit ${limit + 1})
      select (
        select json_agg(json_build_object('month', month, 'stockType', stock_type, 'units', units)) from (
          select case when expire_date < ${today}::date then 'expired' else to_char(expire_date, 'YYYY-MM') end as month,
            stock_type, sum(on_hand)::float8 as units
          from first where ${warehouseNos === null} or warehouse_no = any(${warehouseNos ?? []}::integer[])
          group by 1, 2) sums) as months,
        -- Of the last day, there may be more lots.
        (select case when count(*) > ${limit} then (max(expire_date) - 1)::text end from first) as "completeUntil"`,
  );
  const [completeUntil = null] = found.flatMap((one) => one.completeUntil ?? []).toSorted();
  return { months: found.flatMap(({ months }) => months ?? []), completeUntil };
}
