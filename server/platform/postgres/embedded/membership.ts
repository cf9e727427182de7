import type { Connection } from '../connection.ts';
import { loginOf } from '../connection-target.ts';
import { openConnection } from '../open-connection.ts';
import { clusterOwner, type PostgresCluster, readPassword } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { port, stopServer } from './server-process.ts';

/** Our own connection to the server; while it is open, the server counts us among its users. */
export interface Membership {
  connection: Connection;
  socketFolder: string;
  lost: Promise<void>;
}

// Any number, as long as every version of Lading uses the same.
const membershipKey = 7_210_018_401;
const membershipTimeoutSeconds = 10;

const nobodyThere = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'];
// Shutting down, crashed, not yet ready, being stopped by its last user, no connection left.
const comesAndGoes = ['57P01', '57P02', '57P03', '55P03', '53300'];

export async function tryToJoin(
  cluster: PostgresCluster,
  socketFolder: string,
): Promise<Membership | 'unreachable' | 'not_yet'> {
  let connection: Connection | null = null;
  try {
    const place = { host: socketFolder, port };
    connection = await openConnection({
      server: place,
      login: loginOf({ ...place, username: clusterOwner, password: readPassword(cluster), database: 'postgres' }),
      settings: { application_name: 'lading membership', lock_timeout: membershipTimeoutSeconds * 1000 },
    });
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    connection.onLost(() => resolve());
    // This waits while the last user stops the server and then fails: the caller starts the server again.
    await connection.sql`select pg_advisory_lock_shared(${membershipKey})`;
    return { connection, socketFolder, lost };
  } catch (error) {
    connection?.destroy();
    const { code = '', message } = error as Error & { code?: string };
    if (nobodyThere.includes(code)) return 'unreachable';
    if (isConnectionLoss(error)) return 'not_yet';
    const hint =
      code === '28P01' ? ` Put back the file pg-password that belongs to ${cluster.folder}, from your backup.` : '';
    throw new EmbeddedPostgresError(`PostgreSQL on ${cluster.folder} refuses the connection: ${message}.${hint}`, {
      cause: error,
    });
  }
}

export function isConnectionLoss(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return nobodyThere.includes(code) || comesAndGoes.includes(code) || code.startsWith('CONNECT');
}

/**
 * Each process holds a shared advisory lock. On exit it tries to get an exclusive lock; if that succeeds, no other
 * process uses the server, so it stops it. New processes wait for their shared lock until the server is gone.
 */
export async function leaveServer(cluster: PostgresCluster, { connection }: Membership): Promise<void> {
  try {
    const { sql } = connection;
    await sql`select pg_advisory_unlock_shared(${membershipKey})`;
    const [answer] = await sql<{ last: boolean }[]>`select pg_try_advisory_lock(${membershipKey}) as last`;
    if (answer?.last) await stopServer(cluster);
  } catch {
    // The server has stopped already, or is stopping.
  } finally {
    connection.destroy();
  }
}
