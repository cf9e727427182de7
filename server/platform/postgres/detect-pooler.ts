import type { ConnectionTarget } from './connection-target.ts';
import { connect } from './database.ts';

/** For a person whose DATABASE_URL leads to a pooler. */
export const poolerMessage =
  'DATABASE_URL leads to a connection pooler such as PgBouncer. Lading has its own pools and needs connections that keep their settings, locks and ' +
  'LISTEN: connect to PostgreSQL itself, or through a TCP proxy such as haproxy';

/**
 * A pooler passes the statements of one connection to changing server processes and drops the settings that a
 * connection starts with. A lock that belongs to a connection, such as that of migrations, would not be held reliably.
 */
export async function isPooled(target: ConnectionTarget): Promise<boolean> {
  const [one, other] = [connect(target, 1), connect(target, 1)];
  const processOf = async (sql: typeof one) =>
    (await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]!.pid;
  try {
    const [settings] = await one.unsafe<{ idle: string }[]>(
      "select current_setting('idle_in_transaction_session_timeout') as idle",
    );
    if (settings!.idle !== '30s') return true;

    // While the other connection keeps its process in a transaction, a pooler has to give us a different process than
    // before.
    const before = await processOf(one);
    await other.unsafe('begin');
    const others = await processOf(other);
    const after = await processOf(one);
    await other.unsafe('rollback');
    return others === before || after !== before;
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]);
  }
}

/** A pooler rejects our connection settings unless it is configured to ignore them. */
export function isRefusedByPooler(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '08P01' && /startup parameter/.test(message ?? '');
}
