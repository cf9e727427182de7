import { readConfig } from '../server/config.ts';
import { laneName, receiverAddressOf, receiverIdOf } from '../server/domain/callbacks/callback.ts';
import { callbackChannel } from '../server/domain/callbacks/owed-callback-queries.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { openStore, type Store } from '../server/open-store.ts';
import { newEventId } from '../server/platform/ids.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql, Tx } from '../server/platform/postgres/sql.ts';
import { openOwnerDatabase } from '../test/support/database.ts';
import { faultAccount } from './child-process.ts';

/** The only account of a new database. */
const accountId = 1;

/** A database with one account and a callback key, for tests that queue callbacks without the service. */
export interface CallbackStore {
  accountId: number;
  keyName: string;
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Queues one callback like a status change does; `atMs` is the time just before the commit. */
  queueOne(url: string): Promise<{ eventId: string; atMs: number }>;
  queueLength(): Promise<number>;
  /** The callbacks in progress according to the database; those of a dead worker count until its lease ends. */
  inHand(): Promise<{ eventId: string; lease: string }[]>;
  deliveredTo(url: string): Promise<number>;
  /** Recorded attempts with no response or an unsuccessful one. */
  failedTriesTo(url: string): Promise<number>;
  /** The pending callbacks of these receivers. */
  forgetQueue(urls: string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openCallbackStore(dataDir: string): Promise<CallbackStore> {
  const reading = readConfig({ DATA_DIR: dataDir });
  if (reading.kind === 'mistakes') throw new Error(reading.mistakes.join('; '));
  const store = await openStore(reading.config, { migrations: 'apply', deadlineSeconds: null, onProgress: () => {} });
  await provision(store);
  const postgres = await openEmbeddedPostgres({ dataDir });
  const database = openOwnerDatabase(postgres.connection, { max: 10, deadlineSeconds: null });
  return {
    accountId,
    keyName: 'main',
    read: database.read,
    queueOne: (url) => database.transaction((tx) => queueCallback(tx, url)),
    async queueLength() {
      const [row] = await database.read(
        (sql) => sql`select count(*) as queued from callback_delivery where account_id = ${accountId}`,
      );
      return row!.queued;
    },
    async inHand() {
      return await database.read(
        (sql) => sql<{ eventId: string; lease: string }[]>`
          select event_id as "eventId", lease from callback_delivery join callback using (account_id, callback_id)
          where account_id = ${accountId} and lease is not null and due_at > now()`,
      );
    },
    async deliveredTo(url) {
      const [row] = await database.read(
        (sql) =>
          sql`select count(*) as delivered from callback where account_id = ${accountId} and url = ${url} and status = 'delivered'`,
      );
      return row!.delivered;
    },
    async failedTriesTo(url) {
      const [row] = await database.read(
        (sql) => sql`
          select count(*) as failed from callback_attempt join callback using (account_id, callback_id)
          where account_id = ${accountId} and url = ${url} and http_status is distinct from 200`,
      );
      return row!.failed;
    },
    async forgetQueue(urls) {
      const receiverIds = urls.map((url) => receiverIdOf(accountId, receiverAddressOf(url)));
      await database.read(async (sql) => {
        await sql`delete from callback_delivery where account_id = ${accountId} and receiver_id = any(${receiverIds}::uuid[])`;
        await sql`delete from callback_receiver where account_id = ${accountId} and receiver_id = any(${receiverIds}::uuid[])`;
      });
    },
    async close() {
      await database.close();
      await postgres.close();
      await store.close();
    },
  };
}

async function provision({ database, keyring }: Store): Promise<void> {
  const { accountNo, secret } = faultAccount;
  await applyProvisioning(
    database,
    keyring,
    {
      warehouses: [{ warehouse_no: 1 }],
      stores: [{ store_no: 1 }],
      accounts: [{ account_no: accountNo, environment: 'uat', secret }],
      logistics_keys: [{ name: 'main', account_no: accountNo, warehouse_no: 1, store_no: 1, receive_after_s: 0 }],
    },
    { actor: 'faults' },
  );
}

async function queueCallback(tx: Tx, url: string): Promise<{ eventId: string; atMs: number }> {
  const eventId = newEventId(Date.now());
  const receiverId = receiverIdOf(accountId, receiverAddressOf(url));
  await tx`insert into callback_receiver (receiver_id, account_id, address) values (${receiverId}, ${accountId}, ${receiverAddressOf(url)}) on conflict do nothing`;
  await tx`
    with made as (
      insert into callback (account_id, event_id, event, document_type, document_id, document_no, sequence, url, key_name, receiver_id, body,
        occurred_at, status)
      select ${accountId}, ${eventId}, 'order.shipped', 'order', coalesce(max(document_id), 0) + 1, 'STREAM', 1, ${url}, 'main', ${receiverId}, '{"streamed":true}',
        now(), 'pending'
      from callback where account_id = ${accountId} and document_type = 'order'
      returning callback_id, account_id, receiver_id, document_type, document_id, sequence)
    insert into callback_delivery (callback_id, account_id, receiver_id, document_type, document_id, sequence, due_at, give_up_at)
    select *, now(), now() + interval '1 day' from made`;
  await tx`select pg_notify(${callbackChannel}, ${laneName({ accountId: 1, receiverId })})`;
  return { eventId, atMs: performance.timeOrigin + performance.now() };
}
