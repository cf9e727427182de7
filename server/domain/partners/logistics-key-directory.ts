import type { Clock } from '../../platform/clock.ts';
import { type Keyring, UnknownMasterKey } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { AccountDirectory, KnownAccount } from './account-directory.ts';
import { followPartnerChanges } from './follow-changes.ts';
import { ownedName } from './owned-name.ts';
import { type LogisticsKeyRow, logisticsKeysChangedSince } from './partner-queries.ts';
import { digestsToLookFor, openSecret } from './secret.ts';

/** A logistics key with the details that the webhook needs in every request and a callback needs for its signature. */
export interface KnownKey {
  accountId: number;
  accountNo: string;
  name: string;
  warehouseNo: number;
  storeNo: number;
  receiving: 'on_create' | 'on_confirm';
  /** How long a form that is received on creation stays expected; 0: it is received at once. */
  receiveAfterSeconds: number;
  /** null: expired units are sold too. */
  sellableDaysBeforeExpiry: number | null;
  /** How many units more than announced may arrive. */
  overDeliveryPercent: number;
  enabled: boolean;
}

export interface LogisticsKeyDirectory {
  /**
   * Finds the owner of an API key. If the key is unknown or disabled, reads the current state, because it may have been
   * enabled just now.
   */
  find(apiKey: string): Promise<{ key: KnownKey; account: KnownAccount } | null>;
  /**
   * The secrets that sign callbacks of this key: the current one first, during a rotation also the previous one. Throws
   * UnknownMasterKey if one can be opened only by other nodes.
   */
  callbackSecretsOf(accountId: number, name: string): Promise<string[]>;
}

interface StoredKey extends KnownKey {
  digests: { hex: string; validUntil: Date | null }[];
  callbackSecrets: { value: string; validUntil: Date | null }[];
  /**
   * One of the secrets is sealed under a master key that this node does not have yet; nodes that have it do the work.
   */
  foreignMasterKeyId: string | null;
}

/** Keeps all logistics keys in memory, like the accounts. */
export function makeLogisticsKeyDirectory(parts: {
  database: Database;
  keyring: Keyring;
  accounts: AccountDirectory;
  clock: Clock;
}): LogisticsKeyDirectory {
  const { database, keyring, accounts, clock } = parts;
  const keys = new Map<string, StoredKey>();
  const byDigest = new Map<string, StoredKey>();
  const { keepUp, catchUp } = followPartnerChanges(database, {
    takeIn: async (sql, newestSeen) => (await loadKeys(sql, keyring, newestSeen)).forEach(keep),
    forget() {
      for (const known of [keys, byDigest]) known.clear();
    },
  });

  function keep(key: StoredKey): void {
    for (const { hex } of keys.get(nameOf(key))?.digests ?? []) byDigest.delete(hex);
    for (const { hex } of key.digests) byDigest.set(hex, key);
    keys.set(nameOf(key), key);
  }

  function recall(digests: string[]): StoredKey | null {
    const isValid = (key: StoredKey, digest: string) =>
      key.digests.some(({ hex, validUntil }) => hex === digest && isValidAt(validUntil));
    const known = digests.find((digest) => byDigest.has(digest) && isValid(byDigest.get(digest)!, digest));
    return known === undefined ? null : byDigest.get(known)!;
  }

  function isValidAt(validUntil: Date | null): boolean {
    return validUntil === null || validUntil > clock.now();
  }

  function validSecretsOf(accountId: number, name: string): string[] {
    const { callbackSecrets = [] } = keys.get(nameOf({ accountId, name })) ?? {};
    return callbackSecrets.filter(({ validUntil }) => isValidAt(validUntil)).map(({ value }) => value);
  }

  return {
    async find(apiKey) {
      const digests = digestsToLookFor(keyring, 'logistics_key', apiKey).map((digest) => digest.toString('hex'));
      await keepUp();
      const known = recall(digests);
      const account = known && (await accounts.find(known.accountNo));
      if (known?.enabled && account?.enabled) return { key: known, account };

      await catchUp();
      const key = recall(digests);
      const current = key && (await accounts.findNow(key.accountNo));
      return key && current ? { key, account: current } : null;
    },
    async callbackSecretsOf(accountId, name) {
      await keepUp();
      const known = validSecretsOf(accountId, name);
      if (known.length > 0) return known;
      await catchUp();
      const foreign = keys.get(nameOf({ accountId, name }))?.foreignMasterKeyId;
      const current = validSecretsOf(accountId, name);
      if (current.length === 0 && foreign) throw new UnknownMasterKey(foreign);
      return current;
    },
  };
}

function nameOf({ accountId, name }: { accountId: number; name: string }): string {
  return `${accountId}/${name}`;
}

async function loadKeys(sql: Sql, keyring: Keyring, newestSeen: number): Promise<StoredKey[]> {
  const rows = await logisticsKeysChangedSince(sql, newestSeen);
  const byName = Map.groupBy(rows, (row) => nameOf({ accountId: row.account_id, name: row.name }));
  return [...byName.values()].map((those) => keyOf(those, keyring));
}

function keyOf(rows: LogisticsKeyRow[], keyring: Keyring): StoredKey {
  const {
    account_id,
    account_no,
    name,
    warehouse_no,
    store_no,
    receiving,
    receive_after_s,
    sellable_days_before_expiry,
    over_delivery_percent,
    enabled,
  } = rows[0]!;
  const owner = ownedName(account_no, name);
  return {
    accountId: account_id,
    accountNo: account_no,
    name,
    warehouseNo: warehouse_no,
    storeNo: store_no,
    receiving,
    receiveAfterSeconds: receive_after_s,
    sellableDaysBeforeExpiry: sellable_days_before_expiry,
    overDeliveryPercent: over_delivery_percent,
    enabled,
    digests: rows
      .filter((row) => row.kind === 'logistics_key')
      .map((row) => ({ hex: row.digest!.toString('hex'), validUntil: row.valid_until })),
    callbackSecrets: rows
      .filter((row) => row.kind === 'callback_secret' && !isForeign(row, keyring))
      .map((row) => ({ value: openSecret(keyring, 'callback_secret', owner, row), validUntil: row.valid_until })),
    foreignMasterKeyId:
      rows.find((row) => row.kind === 'callback_secret' && isForeign(row, keyring))?.master_key_id ?? null,
  };
}

function isForeign({ master_key_id }: LogisticsKeyRow, keyring: Keyring): boolean {
  return !keyring.canOpen(master_key_id!);
}
