import type { Sql } from './sql.ts';

/** A table that is not only on the coordinator of Citus. */
export interface TableToPlace {
  name: string;
  /** `reference`: every server has all rows. `distributed`: the rows of an account are on one server. */
  placement: 'reference' | 'distributed';
  isPlaced: boolean;
}

/**
 * The tables of the accounts, read from the catalogue:
 * - Tables whose primary key begins with the account grow with its documents: distributed by account.
 * - Partners that are read before an account is known (policy `read_by_all`), and all tables to which these or the
 *   distributed ones have foreign keys: reference tables, in the order in which they refer to each other.
 * All other tables stay on the coordinator: they are small or belong to no account, and several of them are claimed with
 * row locks, which would need a commit on all servers.
 */
export async function listTablesToPlace(sql: Sql): Promise<TableToPlace[]> {
  return await sql.unsafe<TableToPlace[]>(`
    with recursive own as (
      select oid, relname, exists (select from pg_policy where polrelid = pg_class.oid and polname = 'read_by_all') as is_read_by_all
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
    ), distributed as (
      select own.oid from own
      join pg_constraint as key on conrelid = own.oid and contype = 'p' and cardinality(conkey) > 1
      join pg_attribute on attrelid = own.oid and attnum = conkey[1] and attname = 'account_id'
      where not is_read_by_all
    ), referring as (
      select oid, 0 as depth from distributed
      union select oid, 0 from own where is_read_by_all
      union select confrelid, depth + 1 from referring join pg_constraint on conrelid = referring.oid and contype = 'f'
    )
    select relname as name, case when is_distributed then 'distributed' else 'reference' end as placement,
      exists (select from pg_dist_partition where logicalrelid = own.oid
        and case when is_distributed then partmethod = 'h' else partmethod = 'n' and repmodel = 't' end) as "isPlaced"
    from (select oid, max(depth) as depth, oid in (select oid from distributed) as is_distributed from referring group by oid) as placed
    join own using (oid) order by is_distributed, depth desc, relname`);
}
