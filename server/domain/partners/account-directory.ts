import type { Database, Sql } from '../../platform/database.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { makeReadThroughCache } from '../../platform/read-through-cache.ts';
import { findAccount } from './partner-queries.ts';
import { openSecret } from './secret.ts';
import { validSecrets } from './secret-queries.ts';

/** An account as the APIs need it at every call. */
export interface KnownAccount {
  accountId: number;
  accountNo: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouseApi: boolean;
  /** The current one first; during a rotation also the one before, until its end. */
  secrets: { value: string; validUntil: Date | null }[];
}

export interface AccountDirectory {
  find(accountNo: string): Promise<KnownAccount | null>;
}

/** A change of an account reaches every node within this time. */
const freshSeconds = 2;
const entriesMax = 10_000;
/** Looking up comes before the work itself, and both together must end within the 5 s that the contract promises. */
const lookUpSeconds = 1.3;

export function makeAccountDirectory(database: Database, keyring: Keyring): AccountDirectory {
  const cache = makeReadThroughCache({
    freshSeconds,
    entriesMax,
    load: (accountNo) => database.read((sql) => loadAccount(sql, keyring, accountNo), lookUpSeconds),
  });
  return { find: (accountNo) => cache.get(accountNo) };
}

async function loadAccount(sql: Sql, keyring: Keyring, accountNo: string): Promise<KnownAccount | null> {
  const account = await findAccount(sql, accountNo);
  if (!account) return null;
  const secrets = await validSecrets(sql, 'account_secret', accountNo);
  return {
    accountId: account.account_id,
    accountNo,
    environment: account.environment,
    enabled: account.enabled,
    warehouseApi: account.warehouse_api,
    secrets: secrets.map((secret) => ({
      value: openSecret(keyring, 'account_secret', accountNo, secret),
      validUntil: secret.valid_until,
    })),
  };
}
