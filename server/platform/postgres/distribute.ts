import { escapeIdentifier } from 'pg';
import type { PlainSql } from './database.ts';
import { listTablesToPlace, type TableToPlace } from './table-placement.ts';

/** Why a database cannot be distributed, for the operator. */
export class CannotDistribute extends Error {}

export interface DistributeOptions {
  /** Only lists the tables. */
  isDryRun: boolean;
  onProgress(line: string): void;
}

/** Column privileges reach the servers of Citus from this version on. */
const oldestCitus = [13, 1] as const;

/**
 * Places every table where Citus needs it. Each table is placed in its own transaction, so that a run that was
 * interrupted continues with the tables that are left. Returns the tables with what they were before.
 */
export async function distribute(sql: PlainSql, { isDryRun, onProgress }: DistributeOptions): Promise<TableToPlace[]> {
  await refuseUnusable(sql);
  const tables = await listTablesToPlace(sql);
  const left = tables.filter(({ isPlaced }) => !isPlaced);
  if (isDryRun) return tables;
  await refuseRunningNodes(sql, left.length);

  if (left.length > 0) await replacePolicies(sql);
  for (const [index, table] of left.entries()) {
    onProgress(`${index + 1} of ${left.length}: ${table.name} becomes a ${table.placement} table`);
    await place(sql, table);
  }
  for (const { name } of tables) await removeLocalRows(sql, name);
  await letPurgeRolesLogIn(sql);
  return tables;
}

async function refuseUnusable(sql: PlainSql): Promise<void> {
  const [citus] = await sql<
    { version: string }[]
  >`select extversion as version from pg_extension where extname = 'citus'`;
  if (!citus)
    throw new CannotDistribute(
      'the database does not have the extension citus: add it to shared_preload_libraries, restart PostgreSQL, and run ' +
        '"create extension citus" in this database on every server',
    );
  const [major = 0, minor = 0] = citus.version.split(/[.-]/).map(Number);
  if (major < oldestCitus[0] || (major === oldestCitus[0] && minor < oldestCitus[1]))
    throw new CannotDistribute(
      `Citus ${oldestCitus.join('.')} or newer is required, but the database has ${citus.version}`,
    );
  const [orders] = await sql<{ isOwner: boolean }[]>`
    select pg_has_role(relowner, 'usage') as "isOwner" from pg_class where oid = to_regclass('orders')`;
  if (!orders?.isOwner)
    throw new CannotDistribute('this login does not own the tables: give the login of the owner in DATABASE_OWNER_URL');
  await refuseOtherServers(sql);
}

async function refuseOtherServers(sql: PlainSql): Promise<void> {
  const [servers] = await sql<{ isCoordinator: boolean; isKnown: boolean; withRows: number }[]>`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      exists (select from pg_dist_node where groupid = 0) as "isKnown",
      (select count(*)::integer from pg_dist_node where shouldhaveshards and isactive) as "withRows"`;
  const { isCoordinator, isKnown, withRows } = servers!;
  if (!isCoordinator)
    throw new CannotDistribute('this server is a worker of Citus: DATABASE_URL must point to the coordinator');
  if (!isKnown)
    throw new CannotDistribute(
      'the coordinator does not know its own address: run "select citus_set_coordinator_host(\'ADDRESS\', PORT)" as a superuser',
    );
  if (withRows === 0)
    throw new CannotDistribute(
      'no server may hold rows: run "select citus_add_node(\'ADDRESS\', PORT)" for each worker as a superuser',
    );
}

/** Their connections would not notice that the tables have moved. */
async function refuseRunningNodes(sql: PlainSql, tablesLeft: number): Promise<void> {
  if (tablesLeft === 0) return;
  const nodes = await sql<{ name: string }[]>`
    select host || ':' || pid as name from node where seen_at > now() - interval '35 seconds' order by 1`;
  if (nodes.length > 0)
    throw new CannotDistribute(
      `stop all nodes first: ${nodes.map(({ name }) => name).join(', ')} (a node that was killed counts for 35 s)`,
    );
}

/**
 * Citus refuses policies with subqueries. These say the same without them; on one server the subqueries are faster,
 * because PostgreSQL evaluates them once per statement instead of once per row.
 */
async function replacePolicies(sql: PlainSql): Promise<void> {
  const policies = await sql<{ table: string; name: string }[]>`
    select relname as table, polname as name from pg_policy join pg_class on pg_class.oid = polrelid
    where relnamespace = current_schema()::regnamespace and polname in ('stated_accounts', 'delete_uat_only')
      and pg_get_expr(polqual, polrelid) ~ 'SELECT' order by relname, polname`;
  if (policies.length === 0) return;
  await sql.begin(async (tx) => {
    await tx.unsafe(isUatAccount);
    for (const { table, name } of policies) {
      const [on, rule] = [escapeIdentifier(table), rulesWithoutSubquery[name]!];
      await tx.unsafe(`drop policy ${name} on ${on}; create policy ${name} on ${on} ${rule}`);
    }
  });
}

const rulesWithoutSubquery: Record<string, string> = {
  stated_accounts: `using (coalesce(
    account_id = any (nullif(current_setting('lading.accounts', true), '')::bigint[]), false))`,
  delete_uat_only: 'as restrictive for delete using (is_uat_account(account_id))',
};

const isUatAccount = `
  create or replace function is_uat_account(id bigint) returns boolean
    language plpgsql stable set search_path from current as
    $$ begin return exists (select from account where account_id = id and environment = 'uat'); end $$`;

async function place(sql: PlainSql, { name, placement }: TableToPlace): Promise<void> {
  if (placement === 'reference') await sql`select create_reference_table(${name}::text::regclass)`;
  else {
    const [other] = await sql<{ name: string }[]>`
      select logicalrelid::text as name from pg_dist_partition join pg_class on oid = logicalrelid
      where partmethod = 'h' and relnamespace = current_schema()::regnamespace limit 1`;
    // The rows of an account are on the same server in all tables.
    await (other
      ? sql`select create_distributed_table(${name}::text::regclass, 'account_id', colocate_with => ${other.name})`
      : sql`select create_distributed_table(${name}::text::regclass, 'account_id', colocate_with => 'none')`);
  }
}

/** Citus keeps the rows that a table had before on the coordinator, where nothing reads them. */
async function removeLocalRows(sql: PlainSql, name: string): Promise<void> {
  await sql`select truncate_local_data_after_distributing_table(${name}::text::regclass)`;
}

/** Citus logs in to its servers with the role of the transaction. Without a password, nobody else can. */
async function letPurgeRolesLogIn(sql: PlainSql): Promise<void> {
  const roles = await sql<{ name: string }[]>`
    select rolname as name from granted_privileges join pg_roles on rolname = service_role || '_purge' where not rolcanlogin`;
  for (const { name } of roles) await sql.unsafe(`alter role ${escapeIdentifier(name)} login`);
}
