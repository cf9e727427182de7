import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditLogSearch } from '../../contract/console/audit-log.ts';
import { orderDetail, orderNoteAdd, orderSearch } from '../../contract/console/orders.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { auditStockJob } from '../../server/jobs/audit-stock-job.ts';
import { openReadReplica } from '../../server/open-read-replica.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { type ReadSource, readSources } from '../../server/platform/postgres/read-replica.ts';
import { noAccounts, type Sql } from '../../server/platform/postgres/sql.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { startTestApp } from '../support/app.ts';
import { startLading } from '../support/command.ts';
import { type ConsoleUser, provisionOperators, signIn } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { patienceSeconds, serviceRole, testPostgres } from '../support/database.ts';
import { exported } from '../support/exports.ts';
import { serviceUrl, startReplicatedStore } from '../support/replicated-store.ts';
import { order, receive } from '../support/warehouse.ts';

const { folder, pair, store, limits } = await startReplicatedStore('replica');
const [first, second] = pair.servers;
// Commits do not wait for the standby, which the tests stop and hold up.
const primaryUrl = `${serviceUrl(first, second)}?synchronous_commit=local`;
const primary = openDatabase(primaryUrl, limits);
const patient = { max: 5, role: 'api', purpose: 'test', answerWithinMs: patienceSeconds * 1000 };
const openReplica = (databaseReadUrl: string) => openReadReplica({ databaseReadUrl }, primary, patient, () => {});
const replica = (await openReplica(serviceUrl(first, second)))!;

const app = await startTestApp({
  store: { ...store, service: primary, close: async () => {} },
  database: () => primary,
  replica,
});
// Hooks run in the order in which they are added: the servers outlive the node.
after(async () => {
  await replica.close();
  await primary.close();
  await store.close();
  await pair.close();
  rmSync(folder, { recursive: true, force: true });
});
await provisionOperators(app);
await receive(app, { TEA: [['2099-01-01', 1000]] });
const browser = await startConsoleBrowser(app);

/** Waits until the standby has replayed everything that the primary has written. */
async function caughtUp(from = first, to = second): Promise<void> {
  const [written] = await from.ask((sql) => sql<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`);
  const hasReplayed = (sql: Sql) =>
    sql<{ is: boolean }[]>`select pg_last_wal_replay_lsn() >= ${written!.lsn}::pg_lsn as is`;
  while (!(await to.ask(hasReplayed))[0]!.is) await sleep(20);
}

const pause = () => second.ask((sql) => sql`select pg_wal_replay_pause()`);
const resume = () => second.ask((sql) => sql`select pg_wal_replay_resume()`);

/** The standby has everything so far and replays no more; then what `work` does exists on the primary only. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await caughtUp();
  await pause();
  await work().finally(resume);
}

async function readsBySource(): Promise<Record<ReadSource, number>> {
  const text = (await app.http.inject('/metrics')).payload;
  const read = (source: string) => Number(new RegExp(`reads_total\\{source="${source}"\\} (\\d+)`).exec(text)![1]);
  return Object.fromEntries(readSources.map((source) => [source, read(source)])) as Record<ReadSource, number>;
}

/** Where the reads of `work` went, each source once. */
async function sourcesOf(work: () => Promise<unknown>): Promise<ReadSource[]> {
  const before = await readsBySource();
  await work();
  const now = await readsBySource();
  return readSources.filter((source) => now[source] > before[source]);
}

async function listed(user: ConsoleUser): Promise<string[]> {
  const { rows } = await user.ask(orderSearch, { page_size: 100 });
  return rows.map(({ partner_number }) => partner_number);
}

/** The list, and where it came from. */
async function listFrom(user: ConsoleUser): Promise<{ numbers: string[]; sources: ReadSource[] }> {
  let numbers: string[] = [];
  const sources = await sourcesOf(async () => {
    numbers = await listed(user);
  });
  return { numbers, sources };
}

async function idOf(user: ConsoleUser, number: string): Promise<number> {
  const { rows } = await user.ask(orderSearch, { number });
  return rows[0]!.order_id;
}

let orders = 0;
async function newOrder(): Promise<string> {
  const number = `OUT-${++orders}`;
  await order(app, number, [['TEA', 1]]);
  return number;
}

/** An operator whose sign-in the standby has replayed. */
async function newcomer(): Promise<ConsoleUser> {
  const user = await signIn(app, 'admin');
  await caughtUp();
  return user;
}

const becomesReady = async (isReady: (body: Record<string, unknown>) => boolean) => {
  while (!isReady((await app.http.inject('/health/ready')).json())) await sleep(20);
};

test('a list comes from the replica once that has replayed what the operator has seen', async () => {
  const number = await newOrder();
  const user = await newcomer();
  const { numbers, sources } = await listFrom(user);
  assert.deepEqual([numbers.includes(number), sources], [true, ['replica']]);
});

test('an operator who changes something sees it in the next list, although the replica does not have it yet', async () => {
  const number = await newOrder();
  const [user, other] = [await newcomer(), await newcomer()];
  const order_id = await idOf(user, number);
  await whilePaused(async () => {
    await user.ask(orderNoteAdd, { order_id, text: 'call the shop' });
    const entries = async (who: ConsoleUser) =>
      (await who.ask(auditLogSearch, {})).rows
        .filter(({ action }) => action === orderNoteAdd.path.slice(1))
        .map(({ outcome }) => outcome);
    assert.deepEqual(await sourcesOf(async () => assert.deepEqual(await entries(user), ['added'])), ['primary_behind']);
    // Others see the change when the replica has it.
    assert.deepEqual(await sourcesOf(async () => assert.deepEqual(await entries(other), [])), ['replica']);
  });
});

test('a list never shows less than a page, a list or a rejection that the operator has seen before', async () => {
  const shown = await newcomer();
  const rejected = await newcomer();
  const unaware = await newcomer();
  await whilePaused(async () => {
    const number = await newOrder();
    assert.deepEqual(await listFrom(unaware).then(({ numbers }) => numbers.includes(number)), false);

    // The page of an order comes from the primary.
    const [row] = await primary.read(
      noAccounts,
      async (sql) => await sql.forAccounts([1, 2, 3])`select order_id from orders where partner_number = ${number}`,
    );
    await shown.ask(orderDetail, { order_id: row!.order_id });
    for (let times = 0; times < 2; times++) {
      const { numbers, sources } = await listFrom(shown);
      assert.deepEqual([numbers[0], sources], [number, ['primary_behind']]);
    }

    assert.equal((await rejected.send('/orders/detail', { order_id: 999_999 })).status, 404);
    const { numbers, sources } = await listFrom(rejected);
    assert.deepEqual([numbers[0], sources], [number, ['primary_behind']]);
  });
  await caughtUp();
  assert.deepEqual((await listFrom(shown)).sources, ['replica']);
});

test('a list that is read again because of a live update has the change, although the replica does not have it yet', async () => {
  const user = await newcomer();
  const url = `${browser.ownUrl}/console/api/live`;
  const stream = (await fetch(url, { headers: { cookie: user.cookie } })).body!.pipeThrough(new TextDecoderStream());
  await whilePaused(async () => {
    let number = '';
    for await (const chunk of stream) {
      const change = /^event: change\ndata: (.*)$/m.exec(chunk)?.[1];
      const { topics, seen } = JSON.parse(change ?? '{"topics":[]}');
      // Changes before the first look are not reported, so there is one after each chunk, also that of the opening.
      if (!topics.includes('orders')) {
        number = await newOrder();
        continue;
      }
      user.seen.show(seen);
      break;
    }
    const { numbers, sources } = await listFrom(user);
    assert.deepEqual([numbers[0], sources], [number, ['primary_behind']]);
  });
});

test('in the browser, a list shows an order as its page has just left it, although the replica is behind', async () => {
  const number = await newOrder();
  const { page, ...watched } = await browser.open('admin', `/orders/${await idOf(await newcomer(), number)}`);
  await shown(page.getByRole('button', { name: 'Cancel order' }));
  await whilePaused(async () => {
    await page.getByRole('button', { name: 'Cancel order' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    const results = page.getByRole('dialog', { name: 'Cancelling: results' });
    await results.getByRole('button', { name: 'Close' }).last().click();
    await results.waitFor({ state: 'hidden' });
    const row = page.getByRole('row').filter({ hasText: number });
    const sources = await sourcesOf(async () => {
      await page.getByRole('link', { name: 'Orders' }).first().click();
      await shown(row);
    });
    assert.match(await row.innerText(), /Cancelled/);
    assert.deepEqual(sources, ['primary_behind']);
    assertNoComplaints({ page, ...watched });
    // An open page reads lists by itself, which the other tests would count.
    await page.close();
  });
});

test('an export shows what the operator has seen, and later lists show what the export has shown', async () => {
  const user = await newcomer();
  const exportedAfter = async (seen: string) => {
    const file = await exported(app, user, {}, { cookie: `${user.cookie}; lading-seen=${seen}` });
    return file.payload;
  };
  const before = user.seen.send().text;
  await whilePaused(async () => {
    const number = await newOrder();
    assert.deepEqual(await sourcesOf(async () => assert.equal((await exportedAfter(before)).includes(number), false)), [
      'replica',
    ]);
    assert.deepEqual(await sourcesOf(async () => assert.equal((await exportedAfter('now')).includes(number), true)), [
      'primary_behind',
    ]);
    const later = await listFrom(user);
    assert.deepEqual([later.numbers[0], later.sources], [number, ['primary_behind']]);
  });
});

test('a position that is not ours, or of another database, only has no effect', async () => {
  const user = await newcomer();
  for (const text of ['x', '1.000000010000000000000000', `${user.seen.send().text}0`, '__proto__.x']) {
    const sources = await sourcesOf(async () => {
      assert.equal((await user.send('/orders/search', {}, { 'x-seen': text })).status, 200);
    });
    assert.deepEqual(sources, ['replica'], text);
  }
});

test('a statement that the replay cancels is repeated on the primary', async () => {
  await caughtUp();
  await second.ask(async (sql) => {
    await sql.unsafe("alter system set max_standby_streaming_delay = '10ms'");
    await sql`select pg_reload_conf()`;
  });
  const seen = replica.seenBy([]);
  const began = Promise.withResolvers<void>();
  let sources: ReadSource[] = [];
  const reading = sourcesOf(async () => {
    const rows = await replica.for(seen).read(noAccounts, async (sql) => {
      const [row] = await sql`select pg_is_in_recovery() as is_standby`;
      if (!row!.is_standby) return await sql`select 'primary' as place`;
      const sleeping = sql`select pg_sleep(60), count(*) from stock_audit`.execute();
      began.resolve();
      return await sleeping;
    });
    assert.equal(rows[0]!.place, 'primary');
  }).then((found) => {
    sources = found;
  });
  await began.promise;
  const isAsleep = (sql: Sql) => sql`select from pg_stat_activity where wait_event = 'PgSleep'`;
  while ((await second.ask(isAsleep)).length === 0) await sleep(20);
  // The replay of this lock conflicts with the statement that reads the table.
  await store.database.transaction((tx) => tx`lock table stock_audit in access exclusive mode`);
  await reading;
  assert.deepEqual(sources, ['primary_cancelled']);
});

test('an audit on the replica has the findings of one on the primary, and sees all that was committed before it', async () => {
  await store.database.transaction((tx) => tx`update lot set on_hand = on_hand + 3 where sku_id = 'TEA'`);
  const counts: ReadSource[] = [];
  replica.watch({ onRead: (source) => counts.push(source) });
  let reads = await replica.fromNow();
  while (reads === primary) {
    await sleep(20);
    reads = await replica.fromNow();
  }
  const [onReplica, onPrimary] = [await auditStock(reads), await auditStock(primary)];
  assert.deepEqual([onReplica.findings.length, new Set(counts)], [1, new Set(['replica'])]);
  assert.deepEqual(onReplica, onPrimary);

  const settings = { DATABASE_URL: primaryUrl, MASTER_KEY: store.masterKey.toString('base64') };
  const audit = async (DATABASE_READ_URL: string) => {
    const { code, stdout, stderr } = await makeRunHere({ ...settings, DATABASE_READ_URL }).run('audit --json');
    // A slow audit reports its progress, too.
    const warnings = stderr.split('\n').filter((line) => line.startsWith('the read replica'));
    return { code, warnings, findings: stdout === '' ? null : JSON.parse(stdout).findings };
  };
  assert.deepEqual(await audit(serviceUrl(second)), { code: 1, warnings: [], findings: onPrimary.findings });
  await store.database.transaction((tx) => tx`update lot set on_hand = on_hand - 3 where sku_id = 'TEA'`);
  assert.deepEqual(await audit(serviceUrl(second)), { code: 0, warnings: [], findings: [] });
  const unused = 'the read replica is not used, and the primary serves its reads: the server is not a standby';
  assert.deepEqual(await audit(serviceUrl(first)), { code: 0, warnings: [unused], findings: [] });
});

test('while the replica is gone, lists come from the primary, readiness warns, and it is used again when it is back', async () => {
  const user = await newcomer();
  await second.stop('SIGINT');
  const number = await newOrder();
  const { numbers, sources } = await listFrom(user);
  assert.deepEqual([numbers[0], sources], [number, ['primary_unavailable']]);
  const ready = await app.http.inject('/health/ready');
  const { status, warnings } = ready.json();
  assert.deepEqual([ready.statusCode, status, warnings.length], [200, 'ready', 1]);
  assert.match(warnings[0], /^the read replica is not used, and the primary serves its reads: /);
  assert.match((await app.http.inject('/metrics')).payload, /^lading_read_replica_up 0$/m);

  await second.start();
  await becomesReady((body) => body.warnings === undefined);
  await caughtUp();
  assert.deepEqual(await listFrom(user), { numbers, sources: ['replica'] });
  assert.match((await app.http.inject('/metrics')).payload, /^lading_read_replica_up 1$/m);
  assert.match((await app.http.inject('/metrics')).payload, /^lading_read_replica_lag_bytes 0$/m);
});

test('a replica of another database, or of a distributed one, is refused at the start', async () => {
  const { host, port, password } = testPostgres();
  const other = `postgres://${serviceRole}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/postgres`;
  await assert.rejects(openReplica(other), {
    message: 'DATABASE_READ_URL cannot be used: the server is not a replica of the database in DATABASE_URL',
  });
  await assert.rejects(openReplica(serviceUrl(second).replace(/[^/]+$/, 'postgres')), {
    message: 'DATABASE_READ_URL cannot be used: the server is not a replica of the database in DATABASE_URL',
  });

  const extension = (sql: Sql) => sql`
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (90000, 'citus', 10, 2200, false, '0')`;
  await first.ask(extension);
  await assert.rejects(openReplica(serviceUrl(second)), {
    message:
      'DATABASE_READ_URL cannot be used: the database has the extension Citus, and a replica of its coordinator does not say how far those of the workers are',
  });
  await first.ask((sql) => sql`delete from pg_extension where extname = 'citus'`);
});

test('a node that is started with a replica uses it for lists and for the audit job', async () => {
  const settings = {
    DATABASE_URL: primaryUrl,
    MASTER_KEY: store.masterKey.toString('base64'),
    PORT: '0',
    DRAIN_S: '0',
  };
  // The list begins with the primary, which is passed over.
  const child = startLading(['serve', '--no-migrate', '--json'], {
    ...settings,
    DATABASE_READ_URL: serviceUrl(first, second),
  });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  const { ready } = JSON.parse(line);
  assert.deepEqual(await (await fetch(`${ready}/health/ready`)).json(), { status: 'ready' });
  const connected = (sql: Sql) => sql`select from pg_stat_activity where application_name like 'lading both % reads'`;
  assert.equal((await second.ask(connected)).length, 2);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.equal((await second.ask(connected)).length, 0);

  const counts: ReadSource[] = [];
  replica.watch({ onRead: (source) => counts.push(source) });
  const { config, clock, metrics } = app;
  const stopping = new AbortController().signal;
  const run = {
    database: primary,
    reads: replica,
    keyring: store.keyring,
    formatCallback,
    config,
    clock,
    metrics,
    stopping,
  };
  // On a busy machine the replica may take longer than the job waits for it.
  while (counts.length === 0) assert.equal((await auditStockJob.run(run)).code, 'audit_clean');
  assert.deepEqual(new Set(counts), new Set(['replica']));
});

/** A way to the standby that can be blocked, or lead elsewhere. */
async function startDetour() {
  const sockets = new Set<Socket>();
  let open = () => connectTo({ host: second.host, port: second.port });
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = open();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => isFrozen || to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
    },
    leadTo(next: () => Socket) {
      isFrozen = false;
      open = next;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a replica that falls silent, or turns out to be another database, is not used until it is the right one again', async () => {
  const detour = await startDetour();
  const { host, port, password } = testPostgres();
  const login = { username: serviceRole, password, database: 'postgres' };
  const ofPostgres = openDatabase({ host: first.host, port: first.port, ...login }, limits);
  const databaseReadUrl = `postgres://${serviceRole}:${encodeURIComponent(password)}@127.0.0.1:${detour.port}/postgres`;
  const behind = (await openReadReplica(
    { databaseReadUrl },
    ofPostgres,
    { ...patient, answerWithinMs: 100 },
    () => {},
  ))!;
  const placeOf = () =>
    behind.for(behind.seenBy([])).read(noAccounts, (sql) => sql`select pg_is_in_recovery() as is_standby`);
  const reasonBecomes = async (reason: string | null) => {
    while ((await behind.check()) !== reason) await sleep(20);
  };
  try {
    await reasonBecomes(null);
    detour.freeze();
    assert.equal((await placeOf())[0]!.is_standby, false);
    assert.equal(await behind.check(), 'no answer');

    detour.leadTo(() => connectTo(`${host}/.s.PGSQL.${port}`));
    await reasonBecomes('the server is not a replica of the database in DATABASE_URL');
    assert.equal((await placeOf())[0]!.is_standby, false);

    detour.leadTo(() => connectTo({ host: second.host, port: second.port }));
    await reasonBecomes(null);
  } finally {
    await behind.close();
    await ofPostgres.close();
    detour.close();
  }
});

test('after a failover, the former primary is used as soon as it is known to follow the new one', async () => {
  const user = await newcomer();
  await first.stop('SIGINT');
  await second.promote();
  const standbySignal = join(folder, 'cluster-0', 'standby.signal');
  writeFileSync(standbySignal, '');
  await first.start();
  await becomesReady((body) => body.status === 'ready' && body.warnings === undefined);

  const number = await newOrder();
  await caughtUp(second, first);
  const behind = await listFrom(user);
  assert.deepEqual([behind.numbers[0], behind.sources], [number, ['primary_behind']]);

  // The view of the WAL receiver knows the timeline before the control file does.
  await second.ask((sql) => sql.unsafe(`grant pg_read_all_stats to ${serviceRole}`));
  await caughtUp(second, first);
  assert.deepEqual((await listFrom(user)).sources, ['replica']);
  await second.ask((sql) => sql.unsafe(`revoke pg_read_all_stats from ${serviceRole}`));
  await caughtUp(second, first);
  assert.deepEqual((await listFrom(user)).sources, ['primary_behind']);

  await second.ask((sql) => sql.unsafe('checkpoint'));
  await caughtUp(second, first);
  await first.ask((sql) => sql.unsafe('checkpoint'));
  const { numbers, sources } = await listFrom(user);
  assert.deepEqual([numbers[0], sources], [number, ['replica']]);
});
