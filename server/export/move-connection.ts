import type { Connection } from '../platform/postgres/connection.ts';
import type { ConnectionTarget } from '../platform/postgres/connection-target.ts';
import { makeConnector } from '../platform/postgres/connector.ts';
import { DatabaseRecord } from '../platform/postgres/database-record.ts';
import { isDistributed } from '../platform/postgres/distribution.ts';
import type { Sql } from '../platform/postgres/sql.ts';
import { CannotMove } from './manifest.ts';

/** The text of a row must be the same in every database, whatever its settings are. */
const settings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  // A login that row-level security binds gets an error instead of fewer rows.
  row_security: 'off',
  idle_in_transaction_session_timeout: 0,
};

const closeWithinSeconds = 5;

/** A connection with the login of the owner, closed after `work`. */
export async function withMoveConnection<T>(
  owner: ConnectionTarget,
  purpose: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connector = makeConnector(owner, { role: 'command', statementTimeoutMs: 0, record: new DatabaseRecord() });
  const connection = await connector.open({ purpose, settings });
  try {
    return await work(connection);
  } finally {
    connector.close();
    await connection.close(closeWithinSeconds);
  }
}

export async function refuseUnusable(sql: Sql, whenDistributed: string): Promise<void> {
  if (await isDistributed(sql)) throw new CannotMove(whenDistributed);
  const [orders] = await sql<{ isOwner: boolean }[]>`
    select pg_has_role(relowner, 'usage') as "isOwner" from pg_class where oid = to_regclass('orders')`;
  if (!orders?.isOwner)
    throw new CannotMove(
      'this login does not own the tables, so it does not see all rows: give the login of the owner in DATABASE_OWNER_URL',
    );
}

/** All or nothing, on a connection that does nothing else meanwhile. */
export async function inTransaction<T>(sql: Sql, begin: string, work: () => Promise<T>): Promise<T> {
  await sql.unsafe(begin);
  try {
    const result = await work();
    await sql.unsafe('commit');
    return result;
  } catch (error) {
    await sql.unsafe('rollback').catch(() => {});
    throw error;
  }
}
