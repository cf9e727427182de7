import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { owedCallback, type ToldDocument } from '../../server/domain/callbacks/callback.ts';
import { oweCallbacks } from '../../server/domain/callbacks/owed-callback-queries.ts';
import { redeliverCallbacks } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { until } from '../support/worker.ts';
import { assertInOrder, startCallbackStore } from './callback-store.ts';
import { quick, startTestDelivery } from './delivery.ts';
import { startReceiver } from './receiver.ts';

const { database, startWorker, untilQueueIsEmpty, statuses } = await startCallbackStore();

const documents = 30;
const perDocument = 6;

function told(documentId: number): ToldDocument {
  const numbers = { partnerNumber: `P${documentId}`, name: null, internalNo: `I${documentId}`, ourNo: `O${documentId}` };
  return { accountId: 1, type: 'order', documentId, ...numbers, status: 'shipped', shipmentNo: null, carrier: null, items: [], note: null };
}

test('callbacks that are added while others of their document are just being finished: none stays behind, none comes too early', async () => {
  const receiver = await startReceiver(() => ({ status: Math.random() < 0.2 ? 404 : 200 }));
  const settings = { ...quick, retryDelaysSeconds: Array(50).fill(0.002), lookEverySeconds: 0.02 };
  const workers = [1, 2, 3].map(() => startWorker({ settings }));
  const word = (event: { sequence: number; document: ToldDocument }) =>
    JSON.stringify({ document: event.document.documentId, sequence: event.sequence });

  async function addAll(documentId: number): Promise<void> {
    for (let sequence = 1; sequence <= perDocument; sequence++) {
      const target = { keyName: 'main', url: `${receiver.url}/${documentId % 3}` };
      const owed = owedCallback(told(documentId), target, { sequence, now: new Date(), word });
      await database.transaction((tx) => Promise.all(oweCallbacks(tx, [owed])));
    }
  }
  await Promise.all(Array.from({ length: documents }, (_, index) => addAll(index + 1)));
  await untilQueueIsEmpty();

  assert.deepEqual(await statuses(), { delivered: documents * perDocument });
  assertInOrder(receiver);

  const ids = await database.read((sql) => sql<{ id: number }[]>`select callback_id as id from callback`);
  await database.transaction((tx) =>
    redeliverCallbacks(
      tx,
      ids.map((row) => row.id),
    ),
  );
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: documents * perDocument });
  await Promise.all(workers.map((worker) => worker.close()));
  const [{ deadlocks }] = await database.read(
    (sql) => sql<[{ deadlocks: number }]>`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(deadlocks, 0);
});

test('one that is added while its predecessor’s row is waited for is not left behind', async () => {
  const held = Promise.withResolvers<void>();
  const receiver = await startReceiver(async () => {
    await held.promise;
    return { status: 200 };
  });
  const word = () => '{}';
  const target = { keyName: 'main', url: receiver.url };
  const owe = (sequence: number) => owedCallback(told(1000), target, { sequence, now: new Date(), word });
  await database.read((sql) => sql`truncate callback, callback_delivery, callback_attempt`);
  const worker = startTestDelivery(database, { settings: { ...quick, lookEverySeconds: 0.02 } });
  await database.transaction((tx) => Promise.all(oweCallbacks(tx, [owe(1)])));
  await until('the first is at its receiver', () => receiver.received.length === 1);

  await database.transaction(async (tx) => {
    await Promise.all(oweCallbacks(tx, [owe(2)]));
    held.resolve();
    // Long enough for the worker to wait for the row of the first, which this transaction has locked.
    await sleep(500);
  });
  await untilQueueIsEmpty();

  assert.equal(receiver.received.length, 2);
  await worker.close();
});
