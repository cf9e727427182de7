import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { ownedNameColumn } from './owned-name-queries.ts';
import type { Permission, WorkingDay } from './provisioning.ts';
import type { SecretKind } from './secret.ts';

/** Partners for display: with names, counts and times, never with ids or secrets. At most `limit` rows. */
export interface AccountListRow {
  account_no: string;
  name: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouse_api: boolean;
  callback_url: string | null;
  created_at: string;
  last_used_at: string | null;
  tenants: number;
  clients: number;
  keys: number;
}

/** Reads those of one account, or of all. */
export async function listAccountRows(sql: Sql, accountNo: string | null, limit: number): Promise<AccountListRow[]> {
  return await sql<AccountListRow[]>`
    select account_no, a.name, environment, enabled, warehouse_api, callback_url, ${createdAt(sql, 'a')}, ${lastUsedAt(sql)},
      (select count(*)::int from tenant t where t.account_id = a.account_id) as tenants,
      (select count(*)::int from client c where c.account_id = a.account_id) as clients,
      (select count(*)::int from logistics_key k where k.account_id = a.account_id) as keys
    from account a left join partner_use u on u.kind = 'account' and u.name = account_no
    where ${accountNo}::text is null or account_no = ${accountNo}
    order by account_no limit ${limit}`;
}

export interface TenantListRow {
  account_no: string;
  warehouse_tpw_id: string;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  receiving: 'on_create' | 'on_confirm';
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  callback_url: string | null;
  enabled: boolean;
  created_at: string;
}

export async function listTenantRows(sql: Sql, accountNo: string, limit: number): Promise<TenantListRow[]> {
  return await sql<TenantListRow[]>`
    select account_no, warehouse_tpw_id, warehouse_no, w.name as warehouse_name, store_no, s.name as store_name, receiving, sellable_days_before_expiry,
      over_delivery_percent, t.callback_url, t.enabled, ${createdAt(sql, 't')}
    from tenant t join account using (account_id) join warehouse w using (warehouse_no) join store s using (store_no)
    where account_no = ${accountNo} order by warehouse_tpw_id limit ${limit}`;
}

export interface ClientListRow {
  client_id: string;
  account_no: string;
  account_enabled: boolean;
  permissions: Permission[];
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
}

/** Reads those of one account, or of all. */
export async function listClientRows(sql: Sql, accountNo: string | null, limit: number): Promise<ClientListRow[]> {
  return await sql<ClientListRow[]>`
    select client_id, account_no, a.enabled as account_enabled, permissions, c.enabled, ${createdAt(sql, 'c')}, ${lastUsedAt(sql)}
    from client c join account a using (account_id) left join partner_use u on u.kind = 'client' and u.name = client_id
    where ${accountNo}::text is null or account_no = ${accountNo}
    order by client_id limit ${limit}`;
}

export interface LogisticsKeyListRow {
  account_no: string;
  name: string;
  account_enabled: boolean;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  receiving: 'on_create' | 'on_confirm';
  receive_after_s: number;
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
}

/** Reads those of one account, or of all. */
export async function listLogisticsKeyRows(
  sql: Sql,
  accountNo: string | null,
  limit: number,
): Promise<LogisticsKeyListRow[]> {
  return await sql<LogisticsKeyListRow[]>`
    select account_no, k.name, a.enabled as account_enabled, warehouse_no, w.name as warehouse_name, store_no, s.name as store_name, receiving,
      receive_after_s, sellable_days_before_expiry, over_delivery_percent, k.enabled, ${createdAt(sql, 'k')}, ${lastUsedAt(sql)}
    from logistics_key k join account a using (account_id) join warehouse w using (warehouse_no) join store s using (store_no)
      left join partner_use u on u.kind = 'logistics_key' and u.name = ${ownedNameColumn(sql, 'account_no', 'k.name')}
    where ${accountNo}::text is null or account_no = ${accountNo}
    order by account_no, k.name limit ${limit}`;
}

export interface WarehouseListRow {
  warehouse_no: number;
  name: string;
  connector: { type: 'manual' } | { type: 'http'; url: string } | { type: 'simulator' };
  transfer_every_s: number;
  cut_off: string | null;
  working_days: WorkingDay[];
  created_at: string;
}

export async function listWarehouseRows(sql: Sql, limit: number): Promise<WarehouseListRow[]> {
  return await sql<WarehouseListRow[]>`
    select warehouse_no, name, connector, transfer_every_s, cut_off, working_days,
      ${createdAt(sql, 'warehouse')} from warehouse order by warehouse_no limit ${limit}`;
}

export interface StoreListRow {
  store_no: number;
  name: string;
  type: string;
  created_at: string;
}

export async function listStoreRows(sql: Sql, limit: number): Promise<StoreListRow[]> {
  return await sql<
    StoreListRow[]
  >`select store_no, name, type, ${createdAt(sql, 'store')} from store order by store_no limit ${limit}`;
}

export interface SecretListRow {
  kind: SecretKind;
  owner: string;
  since: string | null;
  previous_valid_until: string | null;
  is_weak: boolean;
}

/** The secrets of these owners: since when each is valid, and how long the previous one remains valid. */
export async function listSecretRows(sql: Sql, kinds: SecretKind[], owners: string[]): Promise<SecretListRow[]> {
  return await sql<SecretListRow[]>`
    select kind, owner, ${sql.unsafe(taipeiTime('max(created_at) filter (where valid_until is null)', 'since'))},
      ${sql.unsafe(taipeiTime('max(valid_until) filter (where valid_until > now())', 'previous_valid_until'))},
      coalesce(bool_or(weak) filter (where valid_until is null), false) as is_weak
    from secret where kind = any(${kinds}) and owner = any(${owners}) group by kind, owner`;
}

export interface PartnerChangeListRow {
  change_id: number;
  at: string;
  actor: string;
  subject_kind: string;
  subject: string;
  change: string;
  fields: Record<string, unknown>;
  /** The previous values of these fields, if they were recorded. */
  before: Record<string, unknown> | null;
}

/** The last recorded values of a change's fields before it. */
export const fieldsBefore = `(
  select jsonb_object_agg(field, (
    select earlier.fields -> field from partner_change earlier
    where earlier.subject_kind = p.subject_kind and earlier.subject = p.subject and earlier.partner_change_id < p.partner_change_id and earlier.fields ? field
    order by earlier.partner_change_id desc limit 1))
  from jsonb_object_keys(p.fields) as field) as before`;

/** Changes of an account and of everything that belongs to it, newest first. */
export async function listAccountChanges(sql: Sql, accountNo: string, limit: number): Promise<PartnerChangeListRow[]> {
  return await sql<PartnerChangeListRow[]>`
    with own as (select account_id, account_no from account where account_no = ${accountNo}), subjects as (
      select 'account' as kind, account_no as name from own
      union all select 'tenant', ${ownedNameColumn(sql, 'account_no', 'warehouse_tpw_id')} from tenant join own using (account_id)
      union all select 'client', client_id from client join own using (account_id)
      union all select 'logistics_key', ${ownedNameColumn(sql, 'account_no', 'name')} from logistics_key join own using (account_id))
    select partner_change_id as change_id, ${sql.unsafe(taipeiTime('changed_at', 'at'))}, actor, subject_kind, subject, change, fields, ${sql.unsafe(fieldsBefore)}
    from partner_change p where (subject_kind, subject) in (select kind, name from subjects)
    order by partner_change_id desc limit ${limit}`;
}

function createdAt(sql: Sql, table: string) {
  return sql.unsafe(taipeiTime(`${table}.created_at`, 'created_at'));
}

function lastUsedAt(sql: Sql) {
  return sql.unsafe(taipeiTime('u.last_used_at', 'last_used_at'));
}
