import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { listTokenKeys } from '../../server/domain/partners/token-key-queries.ts';
import { madeBeforeOf } from '../../server/domain/purge/purge-report.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { makeLog } from '../../server/platform/log.ts';
import { followDatabaseClock, readDatabaseTime } from '../../server/platform/postgres/database-clock.ts';
import { startTestApp } from '../support/app.ts';
import { letTimePass } from '../support/purge.ts';
import { startSecondNode } from '../support/second-node.ts';
import { goodRow, receive, stockOf, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
const { database, service, keyring } = app.store;
const daySeconds = 86_400;
const minuteMs = 60_000;

const logLines: Record<string, unknown>[] = [];
const log = makeLog('warn', { write: (line) => void logLines.push(JSON.parse(line)) });

function clockAhead(seconds: number): Clock {
  return { now: () => new Date(Date.now() + seconds * 1000) };
}

async function follow(own: Clock) {
  const clock = await followDatabaseClock(service, own, log);
  after(() => clock.close());
  return clock;
}

test('a node whose clock is a day off goes by the time of the database, and says so once', async () => {
  for (const ahead of [daySeconds, -daySeconds, 301, -301]) {
    logLines.length = 0;
    const clock = await follow(clockAhead(ahead));
    const differenceMs = clock.now().getTime() - (await readDatabaseTime(service)).getTime();
    assert.ok(Math.abs(differenceMs) < minuteMs, `${differenceMs}`);
    assert.deepEqual(
      logLines.map((line) => [line.level, line.ahead_s]),
      [['warn', ahead]],
    );
  }
});

test('a clock that agrees with that of the database is read as it is', async () => {
  logLines.length = 0;
  const instant = new Date((await readDatabaseTime(service)).getTime() + 500);
  const clock = await follow({ now: () => instant });
  assert.equal(clock.now(), instant);
  assert.deepEqual(logLines, []);
});

test('a node a day ahead or behind: its tokens and those of others are good everywhere for their hour, and only it refuses signatures', async () => {
  for (const ahead of [daySeconds, -daySeconds]) {
    const own = clockAhead(ahead);
    const node = await startSecondNode(app, { clock: await follow(own), ownClock: own });
    const [theirs, ours] = [await node.tokenOf(), await app.tokenOf()];
    const search = { page_size: 1 };
    for (const token of [theirs, ours]) {
      assert.equal((await app.callMain('/getStocksData/searchList', search, { token })).status, 200);
      assert.equal((await node.callMain('/getStocksData/searchList', search, { token })).status, 200);
    }
    const { iat, exp } = JSON.parse(Buffer.from(theirs.split('.')[1]!, 'base64url').toString());
    assert.equal(exp - iat, 3600);
    assert.ok(Math.abs(exp - 3600 - Date.now() / 1000) < 60);

    const product = { sku_id: `CLOCK-${ahead}`, sku_name: 'Oolong', storage_type: 1 };
    const refused = await node.callWarehouse('/product/sync', product);
    assert.deepEqual([refused.status, refused.json.code], [401, 'LST-TPW-4001']);
    assert.equal((await app.callWarehouse('/product/sync', product)).status, 200);
  }
});

test('a worker a day ahead or behind purges and forgets nothing before its time, and leaves the token keys as they are', async () => {
  await syncProducts(app, ['TEA']);
  await receive(app, { TEA: [['2099-01-31', 5]] });
  // By a clock that is a day ahead it would be past its retention.
  await letTimePass(app, app.config.uatRetentionDays - 1);
  const [keptDay, oldDay] = [
    await makeLogDay(app.config.requestLogDays),
    await makeLogDay(app.config.requestLogDays + 1),
  ];
  const keys = await listKeys();

  for (const ahead of [daySeconds, -daySeconds]) {
    await database.read((sql) => sql`update schedule set next_run_at = now()`);
    const clock = await follow(clockAhead(ahead));
    await runDueJobs({
      database: service,
      keyring,
      clock,
      config: app.config,
      log: makeLog('silent'),
      metrics: app.metrics,
      formatCallback,
    });
  }

  assert.deepEqual(await stockOf(app, 'TEA'), [goodRow('TEA', '2099-01-31', 5)]);
  assert.deepEqual(await listKeys(), keys);
  const days = await listLogDays();
  assert.deepEqual([days.includes(keptDay), days.includes(oldDay)], [true, false]);
});

/** The partition of the request log of so many days ago. */
async function makeLogDay(daysAgo: number): Promise<string> {
  const now = await readDatabaseTime(service);
  const [from, until] = [daysAgo, daysAgo - 1].map((days) => madeBeforeOf(now, days).toISOString().slice(0, 10));
  const name = `request_log_${from!.replaceAll('-', '')}`;
  await database.read((sql) =>
    sql.unsafe(`create table ${name} partition of request_log for values from ('${from}') to ('${until}')`),
  );
  return name;
}

async function listLogDays(): Promise<string[]> {
  const rows = await database.read(
    (sql) =>
      sql<
        { name: string }[]
      >`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass`,
  );
  return rows.map(({ name }) => name);
}

const listKeys = () => database.read(listTokenKeys);
