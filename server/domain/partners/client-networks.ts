import { makeLruCache } from '../../platform/limits/lru-cache.ts';
import { describeError, type Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { listClientNetworks, recordClientNetwork } from './client-network-queries.ts';

/** The networks from which clients have authenticated, on any node. */
export interface ClientNetworks {
  find(clientId: string): Promise<Set<string>>;
  /** Written in the background; the caller does not wait. */
  note(clientId: string, network: string): void;
}

/** A network is written again only after this time, so that a token request usually costs no write. */
const noteAgainAfterMs = 86_400_000;
const notedMax = 20_000;

export function makeClientNetworks(database: Database, log: Log): ClientNetworks {
  const notedAtMs = makeLruCache<number>(notedMax);
  return {
    find: async (clientId) => new Set(await database.read(noAccounts, (sql) => listClientNetworks(sql, clientId))),
    note(clientId, network) {
      const key = `${network} ${clientId}`;
      const nowMs = performance.now();
      if (nowMs - (notedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < noteAgainAfterMs) return;
      notedAtMs.set(key, nowMs);
      database
        .transaction(noAccounts, (tx) => recordClientNetwork(tx, clientId, network))
        .catch((error) => {
          notedAtMs.delete(key);
          log.warn(describeError(error), 'the network of a client could not be written');
        });
    },
  };
}
