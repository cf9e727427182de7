import { createSecretKey, type KeyObject } from 'node:crypto';
import { distinct } from '../../platform/distinct.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { followPartnerChanges } from './follow-changes.ts';
import { accountsChangedSince, enabledTenantsOf, type TenantRow } from './partner-queries.ts';
import { openSecret } from './secret.ts';
import type { Tenant } from './tenant.ts';

/** An account with the details that the APIs need in every request. */
export interface KnownAccount {
  accountId: number;
  accountNo: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouseApi: boolean;
  /** null: documents of tenants without an address have no callbacks. */
  callbackUrl: string | null;
  /** The current secret first; during a rotation also the previous one, until it expires. */
  secrets: { key: KeyObject; validUntil: Date | null }[];
  /** Earlier keys that this process has seen: only to recognize a caller that still signs with one. */
  formerKeys: KeyObject[];
  /** The enabled tenants, by their warehouse_tpw_id. */
  tenants: Map<string, Tenant>;
}

export interface AccountDirectory {
  find(accountNo: string): Promise<KnownAccount | null>;
  /** Reads the current state: used before a caller is refused that may have been enabled just now. */
  findNow(accountNo: string): Promise<KnownAccount | null>;
  /** All accounts by number, as of this moment: for operators, who do not wait behind unknown callers. */
  allNow(): Promise<ReadonlyMap<string, KnownAccount>>;
  /** All accounts by number, as they are in memory. */
  known(): ReadonlyMap<string, KnownAccount>;
}

const formerKeysMax = 2;

/**
 * Keeps all accounts in memory, so that no caller, known or unknown, costs a query. The audit log, which numbers every
 * change of a partner, keeps it up to date.
 */
export function makeAccountDirectory(database: Database, keyring: Keyring): AccountDirectory {
  const accounts = new Map<string, KnownAccount>();
  const { keepUp, catchUp, catchUpAtOnce } = followPartnerChanges(database, {
    async takeIn(sql, newestSeen) {
      for (const account of await loadAccounts(sql, keyring, newestSeen)) keep(account);
    },
    forget() {
      accounts.clear();
    },
  });

  function keep(account: KnownAccount): void {
    const { secrets = [], formerKeys = [] } = accounts.get(account.accountNo) ?? {};
    const isFormer = (key: KeyObject) => !account.secrets.some((current) => current.key.equals(key));
    const former = [...secrets.map(({ key }) => key), ...formerKeys].filter(isFormer);
    accounts.set(account.accountNo, { ...account, formerKeys: former.slice(0, formerKeysMax) });
  }

  return {
    known: () => accounts,
    async allNow() {
      await catchUpAtOnce();
      return accounts;
    },
    async find(accountNo) {
      await keepUp();
      return accounts.get(accountNo) ?? null;
    },
    async findNow(accountNo) {
      await catchUp();
      return accounts.get(accountNo) ?? null;
    },
  };
}

async function loadAccounts(sql: Sql, keyring: Keyring, newestSeen: number): Promise<KnownAccount[]> {
  const rows = await accountsChangedSince(sql, newestSeen);
  const byNumber = Map.groupBy(rows, (row) => row.account_no);
  const tenants = await enabledTenantsOf(sql, distinct(rows.map((row) => row.account_id)));
  const tenantsOf = Map.groupBy(tenants, (tenant) => tenant.account_id);
  return [...byNumber].map(([accountNo, [account, ...others]]) => ({
    accountId: account!.account_id,
    accountNo,
    environment: account!.environment,
    enabled: account!.enabled,
    warehouseApi: account!.warehouse_api,
    callbackUrl: account!.callback_url,
    secrets: [account!, ...others]
      .filter((row) => row.sealed !== null)
      .map((row) => ({
        key: createSecretKey(openSecret(keyring, 'account_secret', accountNo, row), 'utf8'),
        validUntil: row.valid_until,
      })),
    formerKeys: [],
    tenants: new Map(tenantsOf.get(account!.account_id)?.map((row) => [row.warehouse_tpw_id, tenantOf(row)])),
  }));
}

export function tenantOf(row: TenantRow): Tenant {
  return {
    warehouseNo: row.warehouse_no,
    storeNo: row.store_no,
    receiving: row.receiving,
    sellableDaysBeforeExpiry: row.sellable_days_before_expiry,
    overDeliveryPercent: row.over_delivery_percent,
    callbackUrl: row.callback_url,
  };
}

/**
 * A tenant that is not in memory may have been created a moment ago, so the database is asked before it counts as
 * unknown.
 */
export async function findTenant(
  directory: AccountDirectory,
  account: KnownAccount,
  warehouseTpwId: string,
): Promise<Tenant | null> {
  const known = account.tenants.get(warehouseTpwId);
  if (known) return known;
  const current = await directory.findNow(account.accountNo);
  return current?.tenants.get(warehouseTpwId) ?? null;
}
