import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { followChanges } from './follow-changes.ts';
import { makeFirstTokenKey } from './rotate-token-key.ts';
import { isValidAt, keyToSignWith, openTokenKey, type TokenKey } from './token-key.ts';
import { listTokenKeys, type TokenKeyRow } from './token-key-queries.ts';

export interface TokenKeyDirectory {
  /** The key to sign with, as of this moment; creates one if there is none. */
  toSignWith(): Promise<TokenKey>;
  /** A key that is valid now; null: not one of ours, or expired. */
  find(kid: string): Promise<TokenKey | null>;
  /** All valid keys, including those that do not sign yet. */
  published(): Promise<TokenKey[]>;
}

/** Keeps all token keys in memory, opened. */
export function makeTokenKeyDirectory(database: Database, keyring: Keyring, clock: Clock): TokenKeyDirectory {
  let keys = new Map<string, TokenKey>();
  const { keepUp, catchUp } = followChanges(database, async (sql) => {
    const rows = await listTokenKeys(sql);
    keys = new Map(rows.flatMap((row) => takeIn(row) ?? []).map((key) => [key.kid, key]));
  });

  /**
   * null: the key is not ours, or it is sealed with a master key that this node does not have yet; the node continues
   * with the others.
   */
  function takeIn(row: TokenKeyRow): TokenKey | null {
    const opened = keys.get(row.kid) ?? openTokenKey(keyring, row);
    if (!opened) return null;
    const { privateKey, publicKey } = opened;
    return { kid: row.kid, privateKey, publicKey, signsFrom: row.signs_from, validUntil: row.valid_until };
  }

  function validKey(kid: string): TokenKey | null {
    const key = keys.get(kid);
    return key && isValidAt(key, clock.now()) ? key : null;
  }

  return {
    async toSignWith() {
      await catchUp();
      const key = keyToSignWith([...keys.values()], clock.now());
      if (key) return key;
      await makeFirstTokenKey(database, keyring, clock);
      await catchUp();
      const first = keyToSignWith([...keys.values()], clock.now());
      if (!first) throw new Error('no token key can be opened with the master keys of this node');
      return first;
    },
    async find(kid) {
      await keepUp();
      if (!keys.has(kid)) await catchUp();
      return validKey(kid);
    },
    async published() {
      await keepUp();
      return [...keys.values()].filter((key) => isValidAt(key, clock.now()));
    },
  };
}
