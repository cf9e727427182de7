import { type ConnectionTarget, connect, type Sql } from '../server/platform/database.ts';

const connectsWithinMs = 60_000;

/** A connection to the database for as long as `work` takes. The service has little patience with one that does not open: here, it is tried again. */
export async function withConnection<T>(database: ConnectionTarget, work: (sql: Sql) => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + connectsWithinMs;
  for (;;) {
    const sql = connect(database, 1);
    const close = () => sql.end({ timeout: 1 });
    const failure = await sql`select`.then(
      () => null,
      (error: { code?: string }) => error,
    );
    if (failure === null) return await work(sql).finally(close);
    await close();
    if (failure.code !== 'CONNECT_TIMEOUT' || performance.now() > giveUpAt) throw failure;
  }
}
