import { after } from 'node:test';
import { type AppParts, buildApp } from '../../server/app.ts';
import { makeLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { logisticsCalls, mainCalls, type TestApp, warehouseCalls } from './app.ts';
import { patienceSeconds } from './database.ts';

/** Starts another instance of the app on the same database, with its own caches, as behind a load balancer. */
export async function startSecondNode(
  first: TestApp,
  clocks: Pick<AppParts, 'clock' | 'ownClock'> = first,
): Promise<TestApp> {
  const { config, clock } = first;
  const { serviceConnection, keyring } = first.store;
  const database = openDatabase(serviceConnection, { max: 5, deadlineSeconds: patienceSeconds });
  const node = await buildApp({
    config,
    database,
    keyring,
    clock: clocks.clock,
    ...(clocks.ownClock ? { ownClock: clocks.ownClock } : {}),
    log: makeLog('trace', { write() {} }),
  });
  await node.http.ready();
  after(async () => {
    await node.close();
    await database.close();
  });

  return {
    ...first,
    ...node,
    ...mainCalls(node, clock),
    callLogistics: logisticsCalls(node, config),
    callWarehouse: warehouseCalls(node, config, clock),
  };
}
