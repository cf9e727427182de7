import type { Bind, Binds, Value } from './bind-values.ts';

/**
 * A table whose rows belong to rows of the searched table. Rows are looked up there in the order of their id, which is
 * unique over all accounts; the index is (account_id, column, id).
 */
export interface PartTable {
  table: string;
  id: string;
  column: string;
  /** A subquery for the values of the column to which an array of searched values leads. */
  keysOf(account: () => string, values: string): string;
  /** Every row that is found there matches. Otherwise the field's own column is compared too. */
  isWhole: boolean;
}

/**
 * The rows to which the rows of a part table belong, the newest first. One of them may have several such rows, with the
 * same value or with several. Offset 0 makes PostgreSQL look up row by row, in the order of the ids; it only knows that
 * `found_id` is in that order.
 */
export function foundByPart(
  table: string,
  { table: partTable, id, column, keysOf }: PartTable,
  { accountId, values, stretch, rowsMax }: { accountId: number; values: Value[]; stretch: string[]; rowsMax: number },
  { bind, unseen }: Binds,
): string {
  const account = () => unseen(accountId, 'bigint');
  const branches = [...new Set(values)].map((value) => {
    const conditions = [
      `account_id = ${account()}`,
      `${column} = ${keysOf(account, bind([value], 'text[]'))}`,
      ...stretch,
    ];
    return `(select distinct ${id} from ${partTable} where ${conditions.join(' and ')} order by ${id} desc limit ${rowsMax})`;
  });
  const ids = `select distinct ${id} from (${branches.join(' union all ')}) named order by ${id} desc limit ${rowsMax}`;
  return `select ${table}.*, ids.${id} as found_id from (${ids}) ids cross join lateral (
    select * from ${table} where account_id = ${account()} and ${id} = ids.${id} offset 0) ${table}`;
}

/** The condition that a row of the searched table has such a row. */
export function belongsToPart({ table, id, column, keysOf }: PartTable, anyOf: Value[], bind: Bind): string {
  const keys = keysOf(() => 'listed.account_id', bind(anyOf, 'text[]'));
  return `exists (select from ${table} part
    where part.account_id = listed.account_id and part.${id} = listed.${id} and part.${column} = any(array${keys}))`;
}
