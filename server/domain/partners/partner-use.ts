import { describeError, type Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type PartnerUseRow, recordPartnerUse } from './partner-use-queries.ts';
import { markUsedWeak, type SecretName } from './secret-queries.ts';

/** The credential that the caller used; null: the account's own secret. */
export type UsedKey = {
  kind: 'client' | 'logistics_key';
  name: string;
  /** The caller sent a secret that is shorter than new ones must be. */
  isWeak?: boolean;
} | null;

/** When accounts, clients and keys were last used. */
export interface PartnerUse {
  note(accountNo: string, usedKey: UsedKey, at: Date): void;
  /** Writes everything noted so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 30_000;
const groupMax = 1000;

/**
 * Uses are noted in memory, one entry per partner however often it calls, and written from time to time: a request
 * costs two map entries.
 */
export function makePartnerUse(database: Database, log: Log): PartnerUse {
  const noted = {
    account: new Map<string, Date>(),
    client: new Map<string, Date>(),
    logistics_key: new Map<string, Date>(),
  };
  const weak = makeWeakNotes(database, log);
  let writing: Promise<void> | null = null;
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  function flush(): Promise<void> {
    writing ??= writeNoted().finally(() => {
      writing = null;
    });
    return writing;
  }

  async function writeNoted(): Promise<void> {
    await weak.write();
    const rows = takeNoted();
    for (let start = 0; start < rows.length; start += groupMax) {
      const group = rows.slice(start, start + groupMax);
      try {
        await database.transaction(noAccounts, (tx) => recordPartnerUse(tx, group));
      } catch (error) {
        for (const { kind, name, lastUsedAt } of rows.slice(start))
          if (!noted[kind].has(name)) noted[kind].set(name, lastUsedAt);
        log.warn(describeError(error), 'when partners last called could not be written; it waits');
        return;
      }
    }
  }

  function takeNoted(): PartnerUseRow[] {
    return Object.entries(noted).flatMap(([kind, byName]) => {
      const rows = [...byName].map(([name, lastUsedAt]) => ({ kind: kind as PartnerUseRow['kind'], name, lastUsedAt }));
      byName.clear();
      return rows;
    });
  }

  return {
    flush,
    note(accountNo, usedKey, at) {
      noted.account.set(accountNo, at);
      if (usedKey === null) return;
      noted[usedKey.kind].set(usedKey.name, at);
      if (usedKey.isWeak) weak.note(usedKey.kind, usedKey.name);
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

/** A digest says nothing about its length, so a weak one shows only when it is used. */
function makeWeakNotes(database: Database, log: Log) {
  const noted = new Map<string, SecretName>();
  /** Written once per process; a rotation ends them. */
  const known = new Set<string>();
  return {
    note(kind: 'client' | 'logistics_key', owner: string): void {
      const key = `${kind} ${owner}`;
      if (known.has(key)) return;
      known.add(key);
      noted.set(key, { kind: kind === 'client' ? 'check_value' : 'logistics_key', owner });
    },
    async write(): Promise<void> {
      if (noted.size === 0) return;
      const found = new Map(noted);
      noted.clear();
      try {
        await database.transaction(noAccounts, (tx) => markUsedWeak(tx, [...found.values()]));
      } catch (error) {
        for (const key of found.keys()) known.delete(key);
        log.warn(describeError(error), 'weak secrets could not be marked; their next use tries again');
      }
    },
  };
}
