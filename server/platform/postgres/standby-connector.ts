import { type Connection, ConnectionError } from './connection.ts';
import { type ConnectionTarget, type DatabaseHost, loginOf, serversOf } from './connection-target.ts';
import { type Connector, ended, nameOf, type OwnConnection, usualSettings, within } from './connector.ts';
import { type DatabaseIdentity, identityOf } from './log-position.ts';
import { openConnection } from './open-connection.ts';

/** Opens connections to a standby of a certain database. */
export interface StandbyConnector extends Connector {
  /** Why the last attempt failed, for people; it names no servers, because readiness is public. */
  refusal(): Refusal | null;
}

export interface Refusal {
  /** A wrong setting does not become right by itself. */
  isFinal: boolean;
  reason: string;
}

/** The standby that was used last is tried first, then the servers in their order, as libpq does. */
export function makeStandbyConnector(
  target: ConnectionTarget,
  identity: DatabaseIdentity,
  { role, statementTimeoutMs }: { role: string; statementTimeoutMs: number },
): StandbyConnector {
  const login = loginOf(target, 'standby');
  const servers = serversOf(target);
  let lastUsed: DatabaseHost | null = null;
  let refusal: Refusal | null = null;
  let isClosed = false;

  async function openOn(server: DatabaseHost, { purpose, settings }: OwnConnection): Promise<Connection> {
    const named = { application_name: nameOf(role, purpose), statement_timeout: statementTimeoutMs };
    const connection = await openConnection({ server, login, settings: { ...usualSettings, ...named, ...settings } });
    try {
      await within(login.connectWithinMs, connection, () => refuseOthers(connection, identity));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  return {
    async open(options) {
      const failures: unknown[] = [];
      for (const server of new Set([...(lastUsed ? [lastUsed] : []), ...servers])) {
        if (isClosed) throw ended();
        try {
          const connection = await openOn(server, options);
          lastUsed = server;
          refusal = null;
          if (!isClosed) return connection;
          connection.destroy();
        } catch (error) {
          failures.push(error);
        }
      }
      if (isClosed) throw ended();
      refusal = explain(failures);
      throw failures.find(isFinal) ?? failures[0];
    },
    refusal: () => refusal,
    explain: async () => refusal?.reason ?? null,
    close() {
      isClosed = true;
    },
  };
}

/** The codes of our own refusals; the first two do not go away by themselves. */
const otherCluster = 'OTHER_CLUSTER';
const distributed = 'DISTRIBUTED';
const notStandby = 'NOT_STANDBY';

export const distributedReason =
  'the database has the extension Citus, and a replica of its coordinator does not say how far those of the workers are';

async function refuseOthers(connection: Connection, expected: DatabaseIdentity): Promise<void> {
  const found = await identityOf(connection.sql);
  if (found.system !== expected.system || found.databaseId !== expected.databaseId)
    throw new ConnectionError(otherCluster, 'the server is not a replica of the database in DATABASE_URL');
  if (found.isDistributed) throw new ConnectionError(distributed, distributedReason);
  if (!found.isStandby) throw new ConnectionError(notStandby, 'the server is not a standby');
}

function isFinal(error: unknown): boolean {
  return error instanceof ConnectionError && [otherCluster, distributed].includes(error.code);
}

function explain(failures: unknown[]): Refusal {
  return { isFinal: failures.some(isFinal), reason: [...new Set(failures.map(reasonOf))].join('; ') };
}

/** Messages of the system and of PostgreSQL contain addresses and names of users; their codes do not. */
function reasonOf(error: unknown): string {
  const { code = 'unknown error', message } = error as { code?: string; message: string };
  return [otherCluster, distributed, notStandby].includes(code) ? message : `no connection (${code})`;
}
