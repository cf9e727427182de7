import type { Database, Sql } from '../../platform/database.ts';
import type { AccountDirectory, KnownAccount } from './account-directory.ts';
import { followChanges } from './follow-changes.ts';
import { clientsChangedSince, newestPartnerChange } from './partner-queries.ts';
import type { Permission } from './provisioning.ts';

/** A client as the main API needs it at every call. */
export interface KnownClient {
  clientId: string;
  account: KnownAccount;
  permissions: ReadonlySet<Permission>;
  enabled: boolean;
  /** The current one first; during a rotation also the one before, until its end. */
  checkValues: { digest: Buffer; masterKeyId: string; validUntil: Date | null }[];
  /** Tokens issued before the client, or its account, was last disabled stay dead when it is enabled again. */
  tokensFrom: Date | null;
}

export interface ClientDirectory {
  find(clientId: string): Promise<KnownClient | null>;
  /** As of this moment: before somebody is refused, who may have been let in just now. */
  findNow(clientId: string): Promise<KnownClient | null>;
}

/** All clients in memory, as the accounts are, and each with its account as that is known at the time. */
export function makeClientDirectory(database: Database, accounts: AccountDirectory): ClientDirectory {
  const clients = new Map<string, StoredClient>();
  let newestSeen = 0;
  const { keepUp, catchUp } = followChanges(database, async (sql) => {
    const newest = await newestPartnerChange(sql);
    if (newest !== newestSeen) for (const client of await loadClients(sql, newestSeen)) clients.set(client.clientId, client);
    newestSeen = newest;
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
      // For a client that does not exist the accounts are looked at as well: it takes as long as one that does.
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
