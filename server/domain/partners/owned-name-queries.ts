import type { Fragment, Sql } from '../../platform/postgres/sql.ts';

/** The same name as `ownedName`, made from two columns. */
export function ownedNameColumn(sql: Sql, accountNo: string, name: string): Fragment {
  return sql.unsafe(`replace(replace(${accountNo}, '%', '%25'), '/', '%2F') || '/' || ${name}`);
}

/** The same as `accountNoOf`, for a column. */
export function accountNoColumn(sql: Sql, ownedName: string): Fragment {
  return sql.unsafe(`replace(replace(split_part(${ownedName}, '/', 1), '%2F', '/'), '%25', '%')`);
}
