import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Database, Sql } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { followChanges } from './follow-changes.ts';
import { accountsChangedSince, enabledTenantsOf, newestPartnerChange, type TenantRow } from './partner-queries.ts';
import { openSecret } from './secret.ts';
import type { Tenant } from './tenant.ts';

/** An account as the APIs need it at every call. */
export interface KnownAccount {
  accountId: number;
  accountNo: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouseApi: boolean;
  /** The current one first; during a rotation also the one before, until its end. */
  secrets: { key: KeyObject; validUntil: Date | null }[];
  /** Those of before, as far as this process has seen them: only to tell that somebody still signs with one. */
  formerKeys: KeyObject[];
  /** Those that are enabled, by their warehouse_tpw_id. */
  tenants: Map<string, Tenant>;
}

export interface AccountDirectory {
  find(accountNo: string): Promise<KnownAccount | null>;
  /** As of this moment: before somebody is refused, who may have been let in just now. */
  findNow(accountNo: string): Promise<KnownAccount | null>;
  /** All of them by their numbers, as of this moment: for operators, who do not wait as strangers do. */
  allNow(): Promise<ReadonlyMap<string, KnownAccount>>;
  /** All of them by their numbers, as they are known without a look. */
  known(): ReadonlyMap<string, KnownAccount>;
}

const formerKeysMax = 2;

/**
 * All accounts in memory, so that no caller, known or not, costs a query; kept up to date by the audit log, in which every change of
 * a partner has its number.
 */
export function makeAccountDirectory(database: Database, keyring: Keyring): AccountDirectory {
  const accounts = new Map<string, KnownAccount>();
  let newestSeen = 0;
  const { keepUp, catchUp, catchUpAtOnce } = followChanges(database, async (sql) => {
    const newest = await newestPartnerChange(sql);
    if (newest !== newestSeen) for (const account of await loadAccounts(sql, keyring, newestSeen)) keep(account);
    newestSeen = newest;
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
    secrets: [account!, ...others]
      .filter((row) => row.sealed !== null)
      .map((row) => ({ key: createSecretKey(openSecret(keyring, 'account_secret', accountNo, row), 'utf8'), validUntil: row.valid_until })),
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
  };
}
