import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providePostgresBinaries } from '../../server/platform/postgres/embedded/binaries.ts';
import { databaseUserFor } from '../../server/platform/postgres/embedded/database-user.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { openTestStore, patienceSeconds, serviceRole } from './database.ts';
import { type PostgresServer, startReplicatedPostgres } from './replicated-postgres.ts';

/** A primary with a standby, in a new folder, and a store on the primary. */
export async function startReplicatedStore(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `lading-${name}-`));
  const programs = await providePostgresBinaries(folder, databaseUserFor(folder), () => {});
  const pair = await startReplicatedPostgres({ folder, programs });
  const { url, host, port } = pair.servers[0];
  await migrate(url, {
    apply: true,
    service: { name: serviceRole, password: 'any, because the servers trust everyone' },
  });
  const limits = { max: 5, deadlineSeconds: patienceSeconds };
  const store = openTestStore({ host, port, username: 'lading', password: '', database: 'lading' }, limits);
  return { folder, pair, store, limits };
}

/** The connection string of a service that may use any of these servers. */
export function serviceUrl(...servers: Pick<PostgresServer, 'host' | 'port'>[]): string {
  return `postgres://${serviceRole}@${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/lading`;
}
