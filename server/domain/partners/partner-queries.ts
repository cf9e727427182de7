import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { assignments, rowValues, type Sql, type Tx, type Value } from '../../platform/postgres/sql.ts';
import { ownedNameColumn } from './owned-name-queries.ts';
import type { Permission } from './provisioning.ts';
import type { SubjectKind } from './subject.ts';

type Row = Record<string, unknown>;
type Key = Record<string, string | number>;

/** One change at a time: a value that was read stays valid until the change is written. */
export async function lockPartners(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(7215002)`;
}

export async function findPartner(tx: Tx, kind: SubjectKind, key: Key): Promise<Row | null> {
  const [row] = await tx<Row[]>`select * from ${tx(kind)} where ${matches(tx, key)}`;
  return row ?? null;
}

export async function insertPartner(tx: Tx, kind: SubjectKind, row: Row): Promise<void> {
  await tx`insert into ${tx(kind)} ${rowValues(withJson(tx, row))}`;
}

export async function updatePartner(tx: Tx, kind: SubjectKind, key: Key, changes: Row): Promise<void> {
  const { count } = await tx`update ${tx(kind)} set ${assignments(withJson(tx, changes))} where ${matches(tx, key)}`;
  if (count !== 1) throw new Error(`the change of a ${kind} concerned ${count} rows`);
}

export async function recordChange(
  tx: Tx,
  actor: string,
  { kind, name }: { kind: SubjectKind | 'token_key' | 'master_key'; name: string },
  change: string,
  fields: Row,
): Promise<void> {
  await tx`
    insert into partner_change (actor, subject_kind, subject, change, fields)
    values (${actor}, ${kind}, ${name}, ${change}, ${tx.json(fields)})`;
}

export async function hasAccounts(tx: Tx): Promise<boolean> {
  const [row] = await tx`select exists (select from account) as found`;
  return row!.found;
}

export async function hasEnabledAdmin(tx: Tx): Promise<boolean> {
  const [row] = await tx`select exists (select from operator where role = 'admin' and enabled) as found`;
  return row!.found;
}

/**
 * The number of the newest change of any partner. Changes are made one at a time, so none with a smaller number appears
 * later.
 */
export async function newestPartnerChange(sql: Sql): Promise<number> {
  const [row] = await sql<
    { newest: number }[]
  >`select coalesce(max(partner_change_id), 0) as newest from partner_change`;
  return row!.newest;
}

export interface AccountName {
  accountId: number;
  accountNo: string;
}

/** One account, or all if null, including disabled ones. */
export async function listAccounts(sql: Sql, accountNo: string | null = null): Promise<AccountName[]> {
  return await sql<AccountName[]>`
    select ${camelColumns('account_id, account_no')} from account
    where ${accountNo}::text is null or account_no = ${accountNo} order by account_id`;
}

/** Whether this UAT account exists, and no other account. */
export async function isOnlyAccount(sql: Sql, accountNo: string): Promise<boolean> {
  const rows = await sql<{ isIt: boolean }[]>`
    select account_no = ${accountNo} and environment = 'uat' as "isIt" from account limit 2`;
  return rows.length === 1 && rows[0]!.isIt;
}

/** The ids of one account, or of all if null. */
export async function accountIdsOf(sql: Sql, accountNo: string | null): Promise<number[]> {
  return (await listAccounts(sql, accountNo)).map(({ accountId }) => accountId);
}

export interface AccountRow {
  account_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouse_api: boolean;
  callback_url: string | null;
  sealed: Buffer | null;
  master_key_id: string | null;
  valid_until: Date | null;
}

/** Accounts that changed, or one of whose tenants changed: a row per valid secret, the current one first. */
export async function accountsChangedSince(sql: Sql, partnerChangeId: number): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    with changed as (select subject_kind, subject from partner_change where partner_change_id > ${partnerChangeId})
    select account_id, account_no, environment, enabled, warehouse_api, callback_url, sealed, master_key_id, valid_until
    from account left join secret on kind = 'account_secret' and owner = account_no and (valid_until is null or valid_until > now())
    where account_no in (select subject from changed where subject_kind = 'account')
      or account_id in (
        select t.account_id from tenant t join account a using (account_id)
        where ${ownedNameColumn(sql, 'a.account_no', 't.warehouse_tpw_id')} in (select subject from changed where subject_kind = 'tenant'))
    order by account_no, valid_until desc nulls first`;
}

export interface TenantRow {
  account_id: number;
  warehouse_tpw_id: string;
  warehouse_no: number;
  store_no: number;
  receiving: 'on_create' | 'on_confirm';
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  callback_url: string | null;
}

export async function enabledTenantsOf(sql: Sql, accountIds: number[]): Promise<TenantRow[]> {
  return await sql<TenantRow[]>`
    select account_id, warehouse_tpw_id, warehouse_no, store_no, receiving, sellable_days_before_expiry, over_delivery_percent, callback_url
    from tenant where account_id = any(${accountIds}) and enabled`;
}

export interface ClientRow {
  client_id: string;
  account_no: string;
  permissions: Permission[];
  enabled: boolean;
  /** When the client or its account was last disabled; null: never. */
  disabled_at: Date | null;
  digest: Buffer | null;
  master_key_id: string | null;
  valid_until: Date | null;
}

/** Clients that changed, or whose account changed: a row per valid CheckValue, the current one first. */
export async function clientsChangedSince(sql: Sql, partnerChangeId: number): Promise<ClientRow[]> {
  return await sql<ClientRow[]>`
    with changed as (select subject_kind, subject from partner_change where partner_change_id > ${partnerChangeId})
    select client_id, account_no, permissions, c.enabled, digest, master_key_id, valid_until, (
        select max(changed_at) from partner_change p
        where (p.subject_kind, p.subject) in (('client', client_id), ('account', account_no)) and p.fields->'enabled' = 'false'
      ) as disabled_at
    from client c join account a using (account_id)
    left join secret on kind = 'check_value' and owner = client_id and (valid_until is null or valid_until > now())
    where client_id in (select subject from changed where subject_kind = 'client')
      or account_no in (select subject from changed where subject_kind = 'account')
    order by client_id, valid_until desc nulls first`;
}

export interface LogisticsKeyRow {
  account_id: number;
  account_no: string;
  name: string;
  warehouse_no: number;
  store_no: number;
  receiving: 'on_create' | 'on_confirm';
  receive_after_s: number;
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  enabled: boolean;
  kind: 'logistics_key' | 'callback_secret' | null;
  sealed: Buffer | null;
  digest: Buffer | null;
  master_key_id: string | null;
  valid_until: Date | null;
}

/** Logistics keys that changed: a row per valid secret, the current ones first. */
export async function logisticsKeysChangedSince(sql: Sql, partnerChangeId: number): Promise<LogisticsKeyRow[]> {
  const owner = ownedNameColumn(sql, 'account_no', 'k.name');
  return await sql<LogisticsKeyRow[]>`
    select account_id, account_no, k.name, warehouse_no, store_no, receiving, receive_after_s, sellable_days_before_expiry, over_delivery_percent,
      k.enabled, kind, sealed, digest, master_key_id, valid_until
    from logistics_key k join account a using (account_id)
    left join secret on kind in ('logistics_key', 'callback_secret') and owner = ${owner}
      and (valid_until is null or valid_until > now())
    where ${owner} in (
      select subject from partner_change where partner_change_id > ${partnerChangeId} and subject_kind = 'logistics_key')
    order by account_id, k.name, valid_until desc nulls first`;
}

/** The output of each `list` command: everything but ids and secrets. */
export async function listPartners(sql: Sql, kind: SubjectKind): Promise<Row[]> {
  switch (kind) {
    case 'warehouse':
      return await sql`select warehouse_no, name, connector, transfer_every_s, cut_off, working_days, created_at from warehouse order by warehouse_no`;
    case 'store':
      return await sql`select store_no, name, type, created_at from store order by store_no`;
    case 'account':
      return await sql`select account_no, name, environment, warehouse_api, callback_url, enabled, created_at from account order by account_no`;
    case 'tenant':
      return await sql`
        select account_no, warehouse_tpw_id, warehouse_no, store_no, receiving, sellable_days_before_expiry, over_delivery_percent, t.callback_url, t.enabled, t.created_at
        from tenant t join account using (account_id) order by account_no, warehouse_tpw_id`;
    case 'client':
      return await sql`
        select client_id, account_no, permissions, c.enabled, c.created_at
        from client c join account using (account_id) order by client_id`;
    case 'logistics_key':
      return await sql`
        select k.name, account_no, warehouse_no, store_no, receiving, receive_after_s, sellable_days_before_expiry, over_delivery_percent, k.enabled, k.created_at
        from logistics_key k join account using (account_id) order by account_no, k.name`;
    case 'operator':
      return await sql`
        select username, role, warehouse_nos, enabled, created_at,
          exists (select from operator_totp t where t.username = o.username) as totp,
          exists (select from operator_identity i where i.username = o.username) as oidc,
          exists (select from secret where kind = 'operator_password' and owner = o.username and valid_until is null and weak) as weak_password
        from operator o order by username`;
  }
}

export interface PartnerChangeRow {
  changed_at: Date;
  actor: string;
  subject_kind: SubjectKind;
  subject: string;
  change: string;
  fields: Row;
}

export async function listPartnerChanges(sql: Sql, kind: SubjectKind, name: string): Promise<PartnerChangeRow[]> {
  return await sql<PartnerChangeRow[]>`
    select changed_at, actor, subject_kind, subject, change, fields from partner_change
    where subject_kind = ${kind} and subject = ${name} order by partner_change_id`;
}

function matches(tx: Tx, key: Key) {
  return Object.entries(key)
    .map(([column, value]) => tx`${tx(column)} = ${value}`)
    .reduce((all, one) => tx`${all} and ${one}`);
}

function withJson(tx: Tx, row: Row): Record<string, Value> {
  const values = row as Record<string, Value>;
  return 'connector' in row ? { ...values, connector: tx.json(row.connector) } : values;
}
