import type { Database } from '../../platform/postgres/database.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { AccountDirectory, KnownAccount } from './account-directory.ts';
import { followPartnerChanges } from './follow-changes.ts';
import { clientsChangedSince } from './partner-queries.ts';
import type { Permission } from './provisioning.ts';

/** A client with the details that the main API needs in every request. */
export interface KnownClient {
  clientId: string;
  account: KnownAccount;
  permissions: ReadonlySet<Permission>;
  enabled: boolean;
  /** The current CheckValue first; during a rotation also the previous one, until it expires. */
  checkValues: { digest: Buffer; masterKeyId: string; validUntil: Date | null }[];
  /** Tokens issued before the client or its account was last disabled stay invalid when it is enabled again. */
  tokensFrom: Date | null;
}

export interface ClientDirectory {
  find(clientId: string): Promise<KnownClient | null>;
  /** Reads the current state: used before a caller is refused that may have been enabled just now. */
  findNow(clientId: string): Promise<KnownClient | null>;
}

/** Keeps all clients in memory, like the accounts, each with the known state of its account. */
export function makeClientDirectory(database: Database, accounts: AccountDirectory): ClientDirectory {
  const clients = new Map<string, StoredClient>();
  const { keepUp, catchUp } = followPartnerChanges(database, {
    async takeIn(sql, newestSeen) {
      for (const client of await loadClients(sql, newestSeen)) clients.set(client.clientId, client);
    },
    forget() {
      clients.clear();
    },
  });

  return {
    async find(clientId) {
      await keepUp();
      const client = clients.get(clientId);
      return client ? withAccount(client, await accounts.find(client.accountNo)) : null;
    },
    async findNow(clientId) {
      await catchUp();
      const client = clients.get(clientId);
      // The accounts are read even if the client does not exist, so that it takes as long as for one that does.
      return withAccount(client ?? null, await accounts.findNow(client?.accountNo ?? ''));
    },
  };
}

interface StoredClient extends Omit<KnownClient, 'account'> {
  accountNo: string;
}

function withAccount(client: StoredClient | null, account: KnownAccount | null): KnownClient | null {
  return client && account ? { ...client, account } : null;
}

async function loadClients(sql: Sql, newestSeen: number): Promise<StoredClient[]> {
  const rows = await clientsChangedSince(sql, newestSeen);
  return [...Map.groupBy(rows, (row) => row.client_id)].map(([clientId, [client, ...others]]) => ({
    clientId,
    accountNo: client!.account_no,
    permissions: new Set(client!.permissions),
    enabled: client!.enabled,
    checkValues: [client!, ...others]
      .filter((row) => row.digest !== null)
      .map((row) => ({ digest: row.digest!, masterKeyId: row.master_key_id!, validUntil: row.valid_until })),
    tokensFrom: client!.disabled_at,
  }));
}
