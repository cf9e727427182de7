import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { preparedMax } from '../../server/platform/postgres/connection.ts';
import {
  connect,
  type Database,
  openDatabase,
  operationDeadlineSeconds,
} from '../../server/platform/postgres/database.ts';
import { DatabaseUnavailable } from '../../server/platform/postgres/deadline.ts';
import { rethrowUnavailable } from '../../server/platform/postgres/errors.ts';
import { latestMigration } from '../../server/platform/postgres/migrate.ts';
import { openPipelinedConnection } from '../../server/platform/postgres/pipelined-connection.ts';
import { noAccounts, type Sql, type Tx } from '../../server/platform/postgres/sql.ts';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import { makeTestStore, patienceSeconds, serviceRole } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { errorItem } from '../support/errors.ts';
import { until } from '../support/worker.ts';

const store = await makeTestStore();
const proxy = await startDatabaseProxy();
let proxied: Database;
const app = await startTestApp({
  database({ serviceConnection }) {
    proxied = openDatabase(proxy.through(serviceConnection), { max: 2, deadlineSeconds: operationDeadlineSeconds });
    return proxied;
  },
});
after(() => proxied.close());
after(() => store.close());
await store.database.read((sql) => sql`create table counter (name text primary key, value integer not null default 0)`);
await store.database.read((sql) => sql`grant all on counter to ${sql(serviceRole)}`);

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
const sync = (skuId: string) => app.callWarehouse('/product/sync', product(skuId));

/** The contract's promise: whatever happens to the database, an answer within 5 s; half a second is this machine's. */
const promisedMs = 5500;

async function timed<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  assert.ok(performance.now() - startedAt <= promisedMs, `took ${Math.round(performance.now() - startedAt)} ms`);
  return result;
}

function assertOutOfReach({ status, headers, json }: TestAnswer): void {
  assert.equal(status, 503);
  assert.equal(headers['retry-after'], '1');
  assert.deepEqual(json, {
    code: 'LST-TPW-5031',
    trace_id: headers['trace-id'],
    message: 'the database is out of reach; try again shortly',
    success: false,
    data: { errors: [errorItem('unavailable', '', 'the database is out of reach; try again shortly')] },
  });
}

async function readiness(): Promise<[number, string[] | undefined]> {
  const answer = await app.http.inject('/health/ready');
  return [answer.statusCode, answer.json().reasons];
}

async function storedSkus(prefix: string): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`select count(*)::int from product where sku_id like ${`${prefix}%`}`,
  );
  return row!.count;
}

test('a database that falls silent: 503 within 5 s, readiness says why, and all is well when it speaks again', async () => {
  assert.equal((await sync('FROZEN-BEFORE')).status, 200);
  proxy.freeze();
  const [first, second, ready, live] = await Promise.all([
    timed(sync('FROZEN-1')),
    timed(sync('FROZEN-2')),
    timed(readiness()),
    app.http.inject('/health/live'),
  ]);
  await proxy.heal();
  const healed = await sync('FROZEN-AFTER');

  assertOutOfReach(first);
  assertOutOfReach(second);
  assert.equal(ready[0], 503);
  assert.equal(ready[1]?.length, 1);
  assert.match(
    ready[1]![0]!,
    /^database: (the database did not answer in time|the database did not accept a connection in time)$/,
  );
  assert.equal(live.statusCode, 200);
  assert.equal(healed.status, 200);
  assert.deepEqual(await readiness(), [200, undefined]);
  const line = await app.requestLine(String(first.headers['trace-id']));
  assert.deepEqual([line?.status, line?.code], [503, 'LST-TPW-5031']);
});

test('a database that refuses connections: 503, readiness says why, and all is well when it is back', async () => {
  await proxy.refuse();
  const refused = [await timed(sync('REFUSED-1')), await timed(sync('REFUSED-2')), await timed(sync('REFUSED-3'))];
  const ready = await timed(readiness());
  await proxy.heal();
  const healed = await sync('HEALED');

  refused.forEach(assertOutOfReach);
  assert.equal(ready[0], 503);
  assert.match(ready[1]!.join(), /^database: [A-Z_]+: the database is out of reach$/);
  assert.equal(healed.status, 200);
  assert.equal(await storedSkus('REFUSED'), 0);
});

test('a standby, an outdated plan and a full disk are outages: 503, nothing is stored, and a full disk is a reason', async () => {
  const { database } = app.store;
  for (const code of ['0A000', '25006', '53100']) {
    await database.read((sql) =>
      sql.unsafe(`
        create or replace function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
        create or replace trigger refuse before insert on product execute function refuse();
        create or replace trigger refuse before insert on client execute function refuse()`),
    );
    assertOutOfReach(await sync(`REFUSED-${code}`));
    await assert.rejects(
      proxied.transaction(noAccounts, (tx) => tx`insert into client (client_id) values ('REFUSED')`),
      new DatabaseUnavailable(`${code}: the database is out of reach`),
    );
  }
  assert.deepEqual(await readiness(), [503, ['database: its disk is full']]);
  await database.read((sql) => sql.unsafe('drop function refuse cascade'));
  assert.equal((await sync('ACCEPTED')).status, 200);
  assert.equal(await storedSkus('REFUSED-'), 0);
});

test('a database that lacks migrations makes a node not ready; one that has more is a warning', async () => {
  const { database } = app.store;
  const body = async () => (await app.http.inject('/health/ready')).json();
  const latest = await latestMigration();
  const rename = (from: number, to: number) =>
    database.read((sql) => sql`update schema_migration set version = ${to} where version = ${from}`);
  await rename(latest, 0);
  const lacking = 'database: it lacks migrations of this version; run "lading migrate"';
  await until('it is noticed', async () => (await body()).reasons?.includes(lacking) ?? false);
  await rename(0, latest + 1);
  const warnings = ['database: a newer version of Lading has migrated it; update this node'];
  await until('it is ready again', async () => (await body()).status === 'ready' && 'warnings' in (await body()));
  assert.deepEqual(await body(), { status: 'ready', warnings });
  await rename(latest + 1, latest);
});

test('a transaction that loses its connection between two statements fails, and the process lives on', async () => {
  const way = await startDatabaseProxy();
  const database = openDatabase(way.through(store.serviceConnection), {
    max: 1,
    deadlineSeconds: operationDeadlineSeconds,
  });
  for (const ending of ['return', 'throw']) {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const failing = database.transaction(noAccounts, async (tx) => {
      await tx`select 1`;
      begun.resolve();
      await goOn.promise;
      if (ending === 'throw') throw new RangeError('refused');
    });
    failing.catch(() => {});
    await begun.promise;
    way.cut();
    await assert.rejects(failing, new DatabaseUnavailable('CONNECTION_CLOSED: the database is out of reach'));
    goOn.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal((await database.read(noAccounts, (sql) => sql`select 1 as one`))[0]!.one, 1);
  await database.close();
});

test('a statement that fails after its first rows leaves no holes in the results that follow on its connection', async () => {
  const database = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: operationDeadlineSeconds });
  const failing = database.read(noAccounts, (sql) => sql`select 1 / (4 - one) from generate_series(1, 9) as one`);
  await assert.rejects(failing, /division by zero/);
  assert.deepEqual(
    [...(await database.read(noAccounts, (sql) => sql`select one from generate_series(1, 3) as one`))],
    [{ one: 1 }, { one: 2 }, { one: 3 }],
  );

  // One behind the other on the same connection.
  const [, next] = await database.read(noAccounts, (sql) =>
    Promise.allSettled([sql`select 1 / (3 - one) from generate_series(1, 9) as one`, sql`select 'here' as word`]),
  );
  assert.ok(next.status === 'fulfilled');
  assert.deepEqual([...next.value], [{ word: 'here' }]);
  await database.close();
});

test('work that gets no connection until its deadline fails, and the next one is served', async () => {
  const narrow = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: 0.3 });
  const release = Promise.withResolvers<void>();
  const holding = narrow.read(noAccounts, async () => await release.promise, patienceSeconds);
  await assert.rejects(
    narrow.read(noAccounts, (sql) => sql`select 1`),
    new DatabaseUnavailable('no database connection became free in time'),
  );
  release.resolve();
  await holding;
  assert.equal((await narrow.read(noAccounts, (sql) => sql`select 1 as one`))[0]!.one, 1);
  await narrow.close();
});

async function newCounter(name: string): Promise<void> {
  await store.database.read((sql) => sql`insert into counter (name) values (${name})`);
}

async function counted(name: string): Promise<number | undefined> {
  const [row] = await store.database.read((sql) => sql`select value from counter where name = ${name}`);
  return row?.value;
}

test('a deadlock is repeated, and both sides succeed', async () => {
  await newCounter('left');
  await newCounter('right');
  const bothHaveOne = Promise.withResolvers<void>();
  let holding = 0;
  let tries = 0;
  const raise = (first: string, second: string) =>
    store.database.transaction(async (tx) => {
      tries++;
      await tx`update counter set value = value + 1 where name = ${first}`;
      if (++holding === 2) bothHaveOne.resolve();
      await bothHaveOne.promise;
      await tx`update counter set value = value + 1 where name = ${second}`;
    });
  await Promise.all([raise('left', 'right'), raise('right', 'left')]);

  // A retry may reach the other server again.
  assert.ok(tries >= 3, `${tries} tries`);
  assert.deepEqual([await counted('left'), await counted('right')], [2, 2]);
});

const serializationFailure = `do $$ begin raise exception 'try again' using errcode = '40001'; end $$`;

test('a serialization failure is repeated up to three times and then an outage; an attempt that failed leaves no trace', async () => {
  await newCounter('serial');
  const failing = async (failures: number) => {
    let tries = 0;
    const transaction = store.database.transaction(async (tx) => {
      await tx`update counter set value = value + 1 where name = 'serial'`;
      if (++tries <= failures) await tx.unsafe(serializationFailure);
      return 'done';
    });
    return [await transaction.catch((error) => error), tries, await counted('serial')];
  };
  assert.deepEqual(await failing(2), ['done', 3, 1]);
  assert.deepEqual(await failing(9), [new DatabaseUnavailable('40001: the database is out of reach'), 4, 1]);
});

test('a transaction fails with the error of its first statement that failed, whichever error arrives first', async () => {
  const failing = store.service.transaction(noAccounts, async (tx) => {
    const first = tx`select 1 / 0`.execute();
    const second = tx`select 1`.execute();
    const late = first.catch(async (error) => {
      await assert.rejects(second, /current transaction is aborted/);
      throw error;
    });
    await Promise.all([late, second]);
  });
  await assert.rejects(failing, /division by zero/);
});

test('a transaction that throws changes nothing and is not repeated', async () => {
  let tries = 0;
  const failing = store.database.transaction(async (tx) => {
    tries++;
    await tx`insert into counter (name) values ('thrown')`;
    throw new RangeError('refused');
  });
  await assert.rejects(failing, new RangeError('refused'));
  assert.deepEqual([tries, await counted('thrown')], [1, undefined]);
});

test('a connection keeps the prepared statements that it used last, also if a transaction fails meanwhile', async () => {
  const one = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: patienceSeconds });
  const ask = (sql: Sql, number: number) => sql.prepared<{ number: number }[]>(`select ${number} + $1 as number`, [0]);
  const numbers = Array.from({ length: preparedMax + 20 }, (_, index) => index);
  try {
    const answers = await one.read(noAccounts, (sql) =>
      // The first statement is used again and again, so it is never the one to go.
      Promise.all(numbers.flatMap((number) => [ask(sql, 0), ask(sql, number)])),
    );
    assert.deepEqual(
      answers.map(([row]) => row!.number),
      numbers.flatMap((number) => [0, number]),
    );
    const failing = one.transaction(noAccounts, async (tx) => {
      const sent = [tx.unsafe('select 1 / 0'), ...numbers.map((number) => ask(tx, 1000 + number))];
      for (const { reason } of (await Promise.allSettled(sent)) as PromiseRejectedResult[]) throw reason;
    });
    await assert.rejects(failing, /division by zero/);
    const kept = await one.read(noAccounts, async (sql) => {
      for (const number of numbers) assert.equal((await ask(sql, number))[0]!.number, number);
      return await sql`select count(*)::integer as count from pg_prepared_statements`;
    });
    assert.equal(kept[0]!.count, preparedMax);
  } finally {
    await one.close();
  }
});

test('a mistake in a statement is no lost database', async () => {
  await assert.rejects(
    store.database.read((sql) => sql`select * from nowhere`),
    { code: '42P01' },
  );
  assert.equal((await store.database.read((sql) => sql`select 1 as one`))[0]!.one, 1);
});

test('a transaction that ends after its deadline is rolled back', async () => {
  const hasty = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: 0.3 });
  const ended = Promise.withResolvers<void>();
  const failing = hasty.transaction(noAccounts, async (tx) => {
    await tx`insert into counter (name) values ('late')`;
    await new Promise((resolve) => setTimeout(resolve, 400));
    ended.resolve();
  });
  await assert.rejects(failing, new DatabaseUnavailable('the database did not answer in time'));
  await ended.promise;
  await hasty.close();
  assert.equal(await counted('late'), undefined);
});

test('a transaction that the server ended because it was silent is an outage, and nothing of it happened', async () => {
  const silent = store.database.transaction(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 50`;
    await tx`insert into counter (name) values ('silent')`;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tx`select 1`;
  });
  await assert.rejects(silent, { name: 'DatabaseUnavailable' });
  assert.equal(await counted('silent'), undefined);
});

test('the repeats of a transaction share one deadline', async () => {
  const hasty = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: 1 });
  let tries = 0;
  const failing = hasty.transaction(noAccounts, async (tx) => {
    tries++;
    await tx`select pg_sleep(0.4)`;
    await tx.unsafe(serializationFailure);
  });
  await assert.rejects(failing, new DatabaseUnavailable('the database did not answer in time'));
  assert.ok(tries < 4, `${tries} tries`);
  await hasty.close();
});

test('more waiters than the limit are rejected at once, those within it are served in order', async () => {
  const narrow = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: patienceSeconds });
  const release = Promise.withResolvers<void>();
  const served: number[] = [];
  const holder = narrow.read(noAccounts, async () => await release.promise);
  const waiters = Array.from({ length: 10_000 }, (_, index) =>
    narrow.read(noAccounts, async () => void served.push(index)),
  );
  assert.deepEqual(narrow.load(), { busy: 1, waiting: 10_000, max: 1 });
  await assert.rejects(
    narrow.read(noAccounts, async () => {}),
    new DatabaseUnavailable('too many requests wait for a database connection'),
  );

  release.resolve();
  await Promise.all([holder, ...waiters]);
  assert.deepEqual(served, [...Array(10_000).keys()]);
  assert.deepEqual(narrow.load(), { busy: 0, waiting: 0, max: 1 });
  await narrow.close();
});

test('work that got its turn too late is cut short without taking the pool away from the others', async () => {
  // The first is far below the deadline, because the machine may stop for a second; both together are beyond it.
  const narrow = openDatabase(store.serviceConnection, { max: 1, deadlineSeconds: 6 });
  const backend = (sql: Sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const [before] = await narrow.read(noAccounts, backend);
  const holder = narrow.read(noAccounts, (sql) => sql`select pg_sleep(3.2)`);
  await assert.rejects(
    narrow.read(noAccounts, (sql) => sql`select pg_sleep(3.2)`),
    new DatabaseUnavailable('the database did not answer in time'),
  );
  await holder;
  const [afterwards] = await narrow.read(noAccounts, backend);
  assert.equal(afterwards!.pid, before!.pid);
  await narrow.close();
});

test('a network that is gone is an outage like any other, and ends no process', async () => {
  // No connection can be made to a broadcast address, and be it that of loopback: that fails before anything is sent.
  const nowhere = openDatabase('postgres://nobody:none@127.255.255.255:5432/none', {
    max: 1,
    deadlineSeconds: patienceSeconds,
  });
  const session = openPipelinedConnection(nowhere, 'test', 5);
  const look = (tx: Tx) => tx`select 1`.then(() => ({ answer: null, writes: [] }));
  await assert.rejects(
    session.transaction(noAccounts, look, performance.now() + patienceSeconds * 1000).catch(rethrowUnavailable),
    DatabaseUnavailable,
  );
  await assert.rejects(nowhere.transaction(noAccounts, look), DatabaseUnavailable);
  await session.close();
  await nowhere.close();
});

test('a pool that is ended while PostgreSQL starts up leaves no connection behind', async () => {
  let connections = 0;
  const starting = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.once('data', () => socket.end(startingUp));
  });
  await once(starting.listen(0, '127.0.0.1'), 'listening');
  after(() => starting.close());
  const { port } = starting.address() as AddressInfo;
  const sql = connect({ host: '127.0.0.1', port, username: 'u', password: 'p', database: 'd' }, 1);

  // The second one waits for the connection that the first one asked for.
  const asked = [sql`select 1`, sql`select 2`].map((query) => query.catch((error: { code: string }) => error.code));
  assert.equal(await asked[0], '57P03');
  await sql.end({ timeout: 0 });
  assert.match(String(await asked[1]), /^CONNECTION_(ENDED|DESTROYED)$/);
  await sleep(reconnectsAfterMs);
  assert.equal(connections, 1);
});

/** Longer than a pool waits before it connects again. */
const reconnectsAfterMs = 300;

/** The error that a server sends to new connections until it has recovered. */
const startingUp = (() => {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', '']
    .map((field) => `${field}\0`)
    .join('');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);
})();
