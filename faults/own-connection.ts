import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTarget } from '../server/platform/postgres/connection-target.ts';
import { connect, type PlainSql } from '../server/platform/postgres/database.ts';

const connectsWithinMs = 60_000;
const betweenTriesMs = 100;
/** The machine is busy, or the server starts. */
const comesLater = ['CONNECT_TIMEOUT', '57P03'];

/** Runs `work` with its own connection to the database. Unlike the service, it retries until the connection opens. */
export async function withConnection<T>(database: ConnectionTarget, work: (sql: PlainSql) => Promise<T>): Promise<T> {
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
    if (!comesLater.includes(failure.code ?? '') || performance.now() > giveUpAt) throw failure;
    await sleep(betweenTriesMs);
  }
}
