import type { Sql } from '../../platform/postgres/sql.ts';

/** The warehouses in which the stock of an account can be ordered. */
export async function findWarehousesInUse(
  sql: Sql,
  accountId: number,
): Promise<{ warehouse_no: number; name: string }[]> {
  return await sql<{ warehouse_no: number; name: string }[]>`
    select warehouse_no, name from warehouse
    where warehouse_no in (select warehouse_no from tenant where account_id = ${accountId}
      union all select warehouse_no from logistics_key where account_id = ${accountId})
    order by warehouse_no`;
}
