import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../server/platform/postgres/database.ts';
import {
  defaultDataDir,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  openEmbeddedPostgres,
} from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';
import { patienceSeconds } from '../support/database.ts';

const isRoot = process.getuid!() === 0;
const moduleUrl = new URL('../../server/platform/postgres/embedded/embedded-postgres.ts', import.meta.url).href;
const pollMilliseconds = 10;

let folder: string;
/** A cluster that most tests share, one after the other; each leaves it stopped. */
let shared: string;

before(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-embedded-'));
  chmodSync(folder, 0o755);
  shared = join(folder, 'shared');
});

after(() => {
  for (const pid of processesMentioning(folder)) kill(pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

test('the first start makes a cluster that needs its password, and the second finds the data again', async () => {
  const first = await openEmbeddedPostgres({ dataDir: shared });
  await withPool(first, async (sql) => {
    await sql`create table note (text text)`;
    await sql`insert into note values ('kept')`;
    const [server] = await sql`
      select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
             current_setting('server_encoding') as encoding, current_database() as database`;
    assert.deepEqual(
      { ...server },
      { addresses: '', fsync: 'on', checksums: 'on', encoding: 'UTF8', database: 'lading' },
    );
  });
  assert.equal(modeOf(join(shared, 'pg-password')), 0o600);
  assert.equal(modeOf(join(shared, 'pg')), 0o700);
  assert.equal(modeOf(shared), isRoot ? 0o711 : 0o700);
  assert.match(readFileSync(join(shared, 'pg', 'pg_hba.conf'), 'utf8'), /^local\s+all\s+all\s+scram-sha-256$/m);
  await first.close();
  assert.deepEqual(processesMentioning(shared), []);

  const second = await openEmbeddedPostgres({ dataDir: shared });
  await withPool(second, async (sql) => assert.deepEqual([...(await sql`select text from note`)], [{ text: 'kept' }]));
  const stranger = connect({ ...second.connection, password: 'guess' }, 1);
  await assert.rejects(stranger`select 1`, { code: '28P01' });
  await stranger.end();
  await second.close();
  assert.deepEqual(processesMentioning(shared), []);
});

test('when PostgreSQL is killed under two processes, both get the same new one; the last one that closes stops it', async () => {
  const [one, other] = await Promise.all([startUser(shared), startUser(shared)]);
  for (let round = 1; round <= 2; round += 1) {
    const killed = postmasterPid(shared);
    process.kill(killed, 'SIGKILL');
    await until(() => postmasterPid(shared) !== killed);
    await until(async () => (await one.countMembers()) === 2 && (await other.countMembers()) === 2);
    assert.equal(serversOn(shared).length, 1);
    assert.equal(serversOn(shared)[0], postmasterPid(shared));
  }
  await one.leave();
  assert.equal(serversOn(shared).length, 1);
  await other.leave();
  assert.deepEqual(processesMentioning(shared), []);
  assert.equal(existsSync(join(shared, 'pg', 'postmaster.pid')), false);
});

test('the next PostgreSQL waits until no process of the killed one is left', async () => {
  const opened = await openEmbeddedPostgres({ dataDir: shared });
  await withPool(opened, async (sql) => {
    const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const killed = postmasterPid(shared);
    process.kill(session!.pid, 'SIGSTOP');
    try {
      process.kill(killed, 'SIGKILL');
      await sleep(700);
      await withPool(opened, async (newcomer) => assert.equal(await newcomer`select 1`.then(...trueOrFalse), false));
    } finally {
      process.kill(session!.pid, 'SIGCONT');
    }
    await until(() => sql`select 1`.then(...trueOrFalse));
  });
  await opened.close();
});

test('a server whose Node was killed is taken over', async () => {
  const user = await startUser(shared);
  const pid = postmasterPid(shared);
  await user.kill();
  assert.deepEqual(serversOn(shared), [pid]);

  const opened = await openEmbeddedPostgres({ dataDir: shared });
  assert.equal(postmasterPid(shared), pid);
  // PostgreSQL may notice the death of its client late; until then its lock keeps the server running.
  await withPool(opened, (sql) => until(async () => (await countMembers(sql)) === 1));
  await opened.close();
  assert.deepEqual(processesMentioning(shared), []);
});

test('opening a cluster while another process closes it always works', async () => {
  const comeAndGo = async () => {
    for (let round = 1; round <= 3; round += 1) {
      const opened = await openEmbeddedPostgres({ dataDir: shared });
      await withPool(opened, (sql) => sql`select 1`);
      await opened.close();
      await sleep(Math.random() * 30);
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
  assert.deepEqual(processesMentioning(shared), []);
});

test('a pid file that names another process, or none, does not stop the start', async () => {
  const { uid, gid } = statSync(join(shared, 'pg'));
  const stranger = spawn('sleep', ['60'], { ...(isRoot ? { uid, gid } : {}), stdio: 'ignore' });
  await once(stranger, 'spawn');
  stranger.unref();
  for (const firstLine of [`${stranger.pid}\n`, '999999999\n', '']) {
    const text =
      firstLine && `${firstLine}${join(shared, 'pg')}\n1700000000\n5432\n${join(shared, 'pg')}\n\n  1 1\nready   \n`;
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      writeFileSync(join(shared, 'pg', name), text, { mode: 0o600 });
      chownSync(join(shared, 'pg', name), uid, gid);
    }
    const opened = await openEmbeddedPostgres({ dataDir: shared });
    await withPool(opened, (sql) => sql`select 1`);
    await opened.close();
  }
  assert.equal(stranger.exitCode, null);
  stranger.kill('SIGKILL');
});

test('two processes that start at once on an empty folder share one cluster', async () => {
  const dataDir = join(folder, 'race');
  const [one, other] = await Promise.all([startUser(dataDir), startUser(dataDir)]);
  assert.equal(serversOn(dataDir).length, 1);
  assert.equal(await one.countMembers(), 2);
  assert.equal(await other.countMembers(), 2);
  assert.deepEqual(
    readdirSync(dataDir)
      .filter((name) => !name.startsWith('postgres-'))
      .sort(),
    ['pg', 'pg-password', 'pg-programs.verified', 'pg-start.lock', 'pg-start.log'],
  );
  await Promise.all([one.leave(), other.leave()]);
  assert.deepEqual(processesMentioning(dataDir), []);
});

test('a path may contain spaces, commas and other alphabets, and two clusters run side by side', async () => {
  const dataDir = join(folder, 'my data, été 倉庫');
  const [named, plain] = await Promise.all([
    openEmbeddedPostgres({ dataDir }),
    openEmbeddedPostgres({ dataDir: shared }),
  ]);
  await withPool(named, async (sql) => assert.equal((await sql`select to_regclass('note') as found`)[0]!.found, null));
  await withPool(plain, async (sql) =>
    assert.equal((await sql`select to_regclass('note') as found`)[0]!.found, 'note'),
  );
  await Promise.all([named.close(), plain.close()]);
  rmSync(named.connection.host, { recursive: true });
});

test('a path too long for a socket gets its socket elsewhere, and a second process finds it', async () => {
  const dataDir = join(folder, 'd'.repeat(60), 'e'.repeat(60));
  const opened = await openEmbeddedPostgres({ dataDir });
  const { host } = opened.connection;
  assert.match(host, /^(\/private)?\/tmp\/lading-/);
  assert.equal(modeOf(host), 0o700);
  const second = await startUser(dataDir);
  assert.equal(await second.countMembers(), 2);

  const killed = postmasterPid(dataDir);
  process.kill(killed, 'SIGKILL');
  await withPool(opened, (sql) => until(() => sql`select 1`.then(...trueOrFalse)));
  await second.leave();
  await opened.close();
  assert.deepEqual(processesMentioning(dataDir), []);
  rmSync(host, { recursive: true });
});

const foreignFolders: [what: string, file: string, text: string, message: RegExp][] = [
  [
    'a cluster of another major version',
    'PG_VERSION',
    '14\n',
    /made by PostgreSQL 14, and this Lading brings PostgreSQL 1[5-8],/,
  ],
  ['a folder with other files', 'holiday.jpg', 'x', /pg is not empty, and it is not a PostgreSQL cluster/],
];
for (const [what, file, text, message] of foreignFolders) {
  test(`${what} is refused and left alone`, async () => {
    const dataDir = join(folder, file);
    mkdirSync(join(dataDir, 'pg'), { recursive: true });
    writeFileSync(join(dataDir, 'pg', file), text);
    await assert.rejects(openEmbeddedPostgres({ dataDir }), refusal(message));
    assert.deepEqual(readdirSync(join(dataDir, 'pg')), [file]);
  });
}

test('a file in place of the folder, or a place where no folder can be made, is refused', async () => {
  const dataDir = join(folder, 'file');
  writeFileSync(dataDir, 'x');
  for (const wanted of [dataDir, join(dataDir, 'below')]) {
    await assert.rejects(
      openEmbeddedPostgres({ dataDir: wanted }),
      refusal(/DATA_DIR must be a folder, and .*\/file is a file/),
    );
  }
  const nowhere = process.platform === 'linux' ? '/proc/lading/data' : '/dev/null/data';
  await assert.rejects(openEmbeddedPostgres({ dataDir: nowhere }), EmbeddedPostgresError);
});

const lostFiles: [what: string, path: string, message: RegExp][] = [
  ['a lost password file is named', 'pg-password', /pg-password is missing/],
  ['a server that cannot start gives its own reason', 'pg/global/pg_control', /did not start(.|\n)*pg_control/],
];
for (const [what, path, message] of lostFiles) {
  test(what, async () => {
    const file = join(shared, path);
    renameSync(file, `${file}.away`);
    await assert.rejects(openEmbeddedPostgres({ dataDir: shared }), refusal(message));
    renameSync(`${file}.away`, file);
    await (await openEmbeddedPostgres({ dataDir: shared })).close();
  });
}

test('a folder that PostgreSQL cannot reach is named', async () => {
  const closed = join(folder, 'closed');
  mkdirSync(closed, { mode: isRoot ? 0o700 : 0o500 });
  const opening = openEmbeddedPostgres({ dataDir: join(closed, 'data') });
  if (isRoot) {
    await assert.rejects(opening, refusal(new RegExp(`may not enter ${closed},.*Set DATA_DIR to a folder outside`)));
    assert.equal(defaultDataDir(closed), '/var/lib/lading');
  } else {
    await assert.rejects(opening, refusal(new RegExp(`may not write to ${closed}\\.`)));
    await assert.rejects(openEmbeddedPostgres({ dataDir: '/usr' }), refusal(/may not write to \/usr\./));
    assert.equal(defaultDataDir(closed), join(closed, 'data'));
  }
  assert.equal(defaultDataDir(folder), join(folder, 'data'));
  assert.deepEqual(readdirSync(closed), []);
});

test('kill -9 of everything at random moments leaves nothing that the next start cannot use', async () => {
  const dataDir = join(folder, 'kills');
  for (let round = 1; round <= 4; round += 1) {
    const user = spawnUser(dataDir);
    // The first rounds mostly fall into the making of the cluster, the later ones into starts and recoveries.
    await sleep(150 + Math.random() * (round <= 2 ? 900 : 350));
    assert.equal(user.exitCode, null);
    user.kill('SIGKILL');
    for (const pid of processesMentioning(dataDir)) kill(pid);
  }
  const opened = await openEmbeddedPostgres({ dataDir });
  await withPool(opened, (sql) => sql`select 1`);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('pg.new-')),
    [],
  );
  await opened.close();
});

async function withPool(opened: EmbeddedPostgres, work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = connect(opened.connection, 2);
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Each process that has the cluster open holds one shared lock. */
async function countMembers(sql: Sql): Promise<number> {
  return (await sql`select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted`).length;
}

interface User {
  /** How many have the cluster open, itself included; 0 while PostgreSQL is away. */
  countMembers(): Promise<number>;
  leave(): Promise<void>;
  kill(): Promise<void>;
}

const userProgram = `
  import { openEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
  import { connect } from ${JSON.stringify(import.meta.resolve('../../server/platform/postgres/database.ts'))};
  const opened = await openEmbeddedPostgres({ dataDir: process.argv[1] });
  const sql = connect({ ...opened.connection, database: 'postgres' }, 1);
  process.on('message', async (question) => {
    if (question === 'count') {
      const locks = sql\`select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted\`;
      process.send(await locks.then((rows) => rows.length, () => 0));
    } else {
      await sql.end({ timeout: 1 });
      await opened.close();
      process.exitCode = 0;
      process.disconnect();
    }
  });
  process.send('open');
`;

/** Another process that has the cluster open. */
async function startUser(dataDir: string): Promise<User> {
  const child = spawnUser(dataDir);
  const exited = once(child, 'exit');
  const [greeting] = await Promise.race([once(child, 'message'), exited]);
  assert.equal(greeting, 'open');
  return {
    countMembers: async () => {
      child.send('count');
      return (await once(child, 'message'))[0];
    },
    // It must end by itself: nothing of ours may keep a closed process alive.
    leave: async () => {
      child.send('leave');
      assert.deepEqual(await exited, [0, null]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function spawnUser(dataDir: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', userProgram, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function postmasterPid(dataDir: string): number {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

/** A process that a server has just forked still has its command line; what is a child of a server is none. */
function serversOn(dataDir: string): number[] {
  const alike = processes().filter(({ command }) => command.includes(`postgres -D ${join(dataDir, 'pg')} `));
  return alike.filter(({ parentPid }) => !alike.some(({ pid }) => pid === parentPid)).map(({ pid }) => pid);
}

function processesMentioning(text: string): number[] {
  return processes()
    .filter(({ command, pid }) => command.includes(text) && pid !== process.pid)
    .map(({ pid }) => pid);
}

interface Process {
  pid: number;
  parentPid: number;
  command: string;
}

function processes(): Process[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => {
      const [, pid, parentPid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), parentPid: Number(parentPid), command };
    });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => processOf(pid) ?? []);
}

/** null: it has ended in the meantime. */
function processOf(pid: string): Process | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The name in brackets may hold anything; state and parent follow.
    const [, parentPid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return { pid: Number(pid), parentPid: Number(parentPid), command };
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.match(error.message, message);
    return true;
  };
}

const trueOrFalse = [() => true, () => false] as const;

async function until(condition: () => boolean | Promise<boolean>, withinSeconds = patienceSeconds): Promise<void> {
  for (const deadline = Date.now() + withinSeconds * 1000; Date.now() < deadline; await sleep(pollMilliseconds)) {
    if (await condition()) return;
  }
  assert.fail(`not within ${withinSeconds} seconds: ${condition}`);
}
