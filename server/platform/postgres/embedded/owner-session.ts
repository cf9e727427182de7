import { join, resolve } from 'node:path';
import type { Connection } from '../connection.ts';
import { loginOf } from '../connection-target.ts';
import { openConnection } from '../open-connection.ts';
import { clusterOwner, readPassword } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { readPostmaster } from './postmaster.ts';
import { port } from './server-process.ts';

/**
 * One session of the owner on the running server. It needs no more than the files that belong to the user of the
 * server, so it also works for a service that has given up root.
 */
export async function openOwnerSession(dataDir: string, purpose: string): Promise<Connection> {
  const folder = join(resolve(dataDir), 'pg');
  const host = readPostmaster({ folder })?.socketFolder;
  if (!host) throw new EmbeddedPostgresError(`PostgreSQL is not running on ${folder}.`);
  const password = readPassword({ dataDir, folder });
  return await openConnection({
    server: { host, port },
    login: loginOf({ host, port, username: clusterOwner, password, database: 'postgres' }),
    settings: { application_name: `lading ${purpose}` },
  });
}
