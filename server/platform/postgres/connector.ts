import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ConnectionError } from './connection.ts';
import { type ConnectionTarget, type DatabaseHost, type Login, loginOf, serversOf } from './connection-target.ts';
import type { DatabaseRecord } from './database-record.ts';
import { isDistributed, prepareForDistribution } from './distribution.ts';
import { openConnection } from './open-connection.ts';
import { makePrimaryFinder, type PrimaryFinder } from './primary.ts';
import { readIdentity } from './server-identity.ts';
import { planSettings } from './surroundings.ts';

export interface OwnConnection {
  /** For the operator who looks at the connections of PostgreSQL. */
  purpose: string;
  settings?: Record<string, string | number>;
  /** Only for questions about the server itself; all other connections accept only the current primary. */
  acceptsStandby?: boolean;
  onNotified?: (payload: string) => void;
}

/** Opens connections to the primary of a target. */
export interface Connector {
  open(options: OwnConnection): Promise<Connection>;
  /** Why no server can be used; null if one can be, or if none answers. */
  explain(): Promise<string | null>;
  /** Prevents new connections. */
  close(): void;
}

/** A server that does not accept connections is not asked more often than this. */
const connectAgainMs = 200;

export interface ConnectorOptions {
  role: string;
  statementTimeoutMs: number;
  record: DatabaseRecord;
}

export type MakeConnector = (target: ConnectionTarget, options: ConnectorOptions) => Connector;

export function makeConnector(target: ConnectionTarget, options: ConnectorOptions): Connector {
  const { role, statementTimeoutMs, record } = options;
  const login = loginOf(target);
  const servers = serversOf(target);
  const finder = findPrimary(target, record);
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function connectOnce(wanted: OwnConnection): Promise<Connection> {
    const waitMs = refusedAtMs + connectAgainMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const server = servers.length > 1 ? await finder.find() : servers[0]!;
    if (isClosed) throw ended();
    const name = { application_name: nameOf(role, wanted.purpose), statement_timeout: statementTimeoutMs };
    return await openIdentified(server, login, record, { ...wanted, settings: { ...name, ...wanted.settings } });
  }

  return {
    async open(wanted) {
      const connection = await connectOnce(wanted).catch((error) => {
        refusedAtMs = performance.now();
        throw error;
      });
      if (!isClosed) return connection;
      connection.destroy();
      throw ended();
    },
    explain: finder.explain,
    close() {
      isClosed = true;
    },
  };
}

/** A connection to a server that is not, or no longer, the primary is closed and never used. */
async function openIdentified(
  server: DatabaseHost,
  login: Login,
  record: DatabaseRecord,
  { purpose, settings, acceptsStandby = false, onNotified }: OwnConnection,
): Promise<Connection> {
  const connection = await openConnection({
    server,
    login,
    settings: { ...usualSettings, ...settings },
    ...(onNotified ? { onNotified } : {}),
  });
  if (acceptsStandby) return connection;
  try {
    await within(login.connectWithinMs, connection, async () => {
      const identity = await readIdentity(connection.sql);
      const refusal = record.refusalOf(identity);
      if (refusal !== null) throw new ConnectionError(refusal.code, refusal.reason);
      if (identity.hasCitus && (await isDistributed(connection.sql))) await prepareForDistribution(connection);
      connection.rowTypes = new Map(Object.entries(identity.rowTypes));
      connection.enter(record, { identity, purpose });
    });
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Closes the connection if the work takes longer. */
export async function within<T>(ms: number, connection: Connection, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.destroy(), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

export function ended(): ConnectionError {
  return new ConnectionError('CONNECTION_ENDED', 'the pool has ended');
}

export const usualSettings = {
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  idle_in_transaction_session_timeout: 30_000,
  ...planSettings.of_values,
  // It never pays for statements as short as ours.
  jit: 'off',
};

/** `lading api shop-1:4711 create_orders`. PostgreSQL keeps 63 bytes of it. */
export function nameOf(role: string, purpose: string): string {
  return `lading ${role} ${hostname().slice(0, hostShownMax)}:${process.pid} ${purpose}`;
}

const hostShownMax = 20;

/** Asks each server of the target over a connection that is closed afterwards. */
export function findPrimary(target: ConnectionTarget, record: DatabaseRecord): PrimaryFinder {
  const login = loginOf(target);
  const settings = { ...usualSettings, application_name: nameOf('command', 'find the primary') };
  return makePrimaryFinder(serversOf(target), async (server) => {
    let connection: Connection | null = null;
    try {
      connection = await openConnection({ server, login, settings });
      const refusal = record.refusalOf(
        await within(login.connectWithinMs, connection, () => readIdentity(connection!.sql)),
      );
      if (refusal === null) return 'primary';
      return refusal.code === 'STANDBY' ? 'standby' : { unusable: refusal.reason };
    } catch (error) {
      if (!(error instanceof ConnectionError))
        return { unreachable: (error as { code?: string }).code ?? 'unknown error' };
      return error.code === 'TLS' ? { unusable: error.reason } : { unreachable: error.reason };
    } finally {
      connection?.destroy();
    }
  });
}
