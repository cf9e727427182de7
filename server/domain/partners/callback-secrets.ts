import type { Clock } from '../../platform/clock.ts';
import { type Keyring, UnknownMasterKey } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { isKeySigner } from './callback-signer.ts';
import { followPartnerChanges } from './follow-changes.ts';
import type { LogisticsKeyDirectory } from './logistics-key-directory.ts';
import { openSecret } from './secret.ts';
import { type CallbackSecretRow, callbackSecretsChangedSince } from './secret-queries.ts';

/** The secrets that sign callbacks of a signer now: the current one first, during a rotation also the previous one. */
export type CallbackSecretsOf = (accountId: number, signer: string) => Promise<string[]>;

/**
 * Keeps the callback secrets of accounts and tenants in memory, beside those of the logistics keys. Throws
 * UnknownMasterKey if a secret can be opened only by other nodes.
 */
export function makeCallbackSecrets(parts: {
  database: Database;
  keyring: Keyring;
  keys: Pick<LogisticsKeyDirectory, 'callbackSecretsOf'>;
  clock: Clock;
}): CallbackSecretsOf {
  const { database, keyring, keys, clock } = parts;
  const known = new Map<string, CallbackSecretRow[]>();
  const { keepUp, catchUp } = followPartnerChanges(database, {
    takeIn: async (sql, newestSeen) => {
      for (const [name, rows] of await load(sql, newestSeen)) known.set(name, rows);
    },
    forget: () => known.clear(),
  });

  function validOf(accountId: number, signer: string): CallbackSecretRow[] {
    const rows = known.get(nameOf(accountId, signer)) ?? [];
    return rows.filter(({ valid_until }) => valid_until === null || valid_until > clock.now());
  }

  return async (accountId, signer) => {
    if (isKeySigner(signer)) return await keys.callbackSecretsOf(accountId, signer);
    await keepUp();
    if (validOf(accountId, signer).length === 0) await catchUp();
    const valid = validOf(accountId, signer);
    const own = valid.filter((row) => keyring.canOpen(row.master_key_id));
    if (own.length === 0 && valid.length > 0) throw new UnknownMasterKey(valid[0]!.master_key_id);
    return own.map((row) => openSecret(keyring, row.kind, row.owner, row));
  };
}

function nameOf(accountId: number, signer: string): string {
  return `${accountId}/${signer}`;
}

async function load(sql: Sql, newestSeen: number): Promise<Map<string, CallbackSecretRow[]>> {
  const rows = await callbackSecretsChangedSince(sql, newestSeen);
  return Map.groupBy(rows, (row) => nameOf(row.account_id, row.signer));
}
