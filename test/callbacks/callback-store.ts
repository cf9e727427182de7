import assert from 'node:assert/strict';
import { after, afterEach, beforeEach } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import type { DeliveryContext } from '../../server/jobs/deliver-callbacks.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';
import { makeTestStore, type OwnerDatabase } from '../support/database.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { startTestDelivery } from './delivery.ts';
import { type CallbacksToInsert, type InsertedCallback, insertCallbacks } from './insert-callbacks.ts';
import type { Receiver } from './receiver.ts';

export interface StoredAttempt {
  attemptNo: number;
  httpStatus: number | null;
  error: string | null;
  response: string | null;
}

/** Their ids are 1, 2 and so on. */
export const storedAccounts = 200;

/** A database of callbacks for a test file: empty before each test; its workers are closed after each test. */
export async function startCallbackStore() {
  const store = await makeTestStore();
  const { database, service } = store;
  const workers: TestWorker[] = [];
  await database.read(insertAccounts);
  after(() => store.close());
  beforeEach(empty);
  afterEach(closeWorkers);

  async function empty(): Promise<void> {
    await database.read((sql) => sql`truncate callback, callback_attempt, callback_receiver, callback_delivery`);
  }

  async function closeWorkers(): Promise<void> {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  }

  async function queueLength(): Promise<number> {
    const [row] = await database.read(
      (sql) => sql<[{ count: number }]>`select count(*)::integer from callback_delivery`,
    );
    return row.count;
  }

  return {
    ...store,
    workers: workers as readonly TestWorker[],
    empty,
    closeWorkers,
    queueLength,
    /** Starts a worker, on the connections of the test or on others. */
    startWorker(options: Partial<DeliveryContext> = {}, connections: Database = service): TestWorker {
      const worker = startTestDelivery(connections, options);
      workers.push(worker);
      return worker;
    },
    async queue(wanted: CallbacksToInsert): Promise<InsertedCallback[]> {
      return await database.read((sql) => insertCallbacks(sql, wanted));
    },
    async untilQueueIsEmpty(): Promise<void> {
      await until('the queue is empty', async () => (await queueLength()) === 0);
    },
    async statuses(): Promise<Record<string, number>> {
      const rows = await database.read(
        (sql) =>
          sql<{ status: string; count: number }[]>`select status, count(*)::integer from callback group by status`,
      );
      return Object.fromEntries(rows.map((row) => [row.status, row.count]));
    },
    async attemptsOf(callbackId: number): Promise<StoredAttempt[]> {
      const rows = await database.read(
        (sql) => sql<StoredAttempt[]>`
          select attempt_no as "attemptNo", http_status as "httpStatus", error, response
          from callback_attempt where callback_id = ${callbackId} order by attempt_no`,
      );
      return rows.map((row) => ({ ...row, error: formatStored(row.error) }));
    },
  };
}

async function insertAccounts(sql: Sql): Promise<void> {
  await sql`
    insert into account (account_id, account_no, name, environment, warehouse_api, enabled)
    select n, 'ACCOUNT-' || n, 'Account', 'uat', false, true from generate_series(1, ${storedAccounts}::integer) n`;
}

/** Asserts that the callbacks of each document arrived in order. */
export function assertInOrder({ received }: Receiver): void {
  const arrived = received.map(({ body }) => JSON.parse(body) as { document: number; sequence: number });
  for (const ofDocument of Map.groupBy(arrived, (one) => one.document).values()) {
    const sequences = ofDocument.map((one) => one.sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    );
  }
}

export async function assertNoDeadlocks(database: OwnerDatabase): Promise<void> {
  const [row] = await database.read(
    (sql) => sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(row!.deadlocks, 0);
}
