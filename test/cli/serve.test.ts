import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dumpTables } from '../partners/dump.ts';
import { migratingSettingsFor, settingsFor, startLading } from '../support/command.ts';
import { makeTestStore, type TestStore } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/worker.ts';
import { makeRunHere } from './run-here.ts';

/** Long enough that a busy machine still sees the service between its readiness turning and its end. */
const drainSeconds = '2';
const folder = mkdtempSync(join(tmpdir(), 'serve-test-'));
const stores: TestStore[] = [];
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(stores.map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function emptyStore(): Promise<TestStore> {
  const store = await makeTestStore({ pool: 2 });
  stores.push(store);
  return store;
}

interface Serving {
  port: number;
  child: ChildProcess;
  /** Everything on standard output up to now; the service says there that it is ready. */
  announcement(): string;
  /** Everything on standard error up to now. */
  complaint(): string;
  exited: Promise<number | null>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function start(store: TestStore, args: string[] = [], settings: Record<string, string> = {}): Promise<Serving> {
  const port = await freePort();
  const env = { ...settingsFor(store), ...settings, PORT: String(port), DRAIN_S: drainSeconds };
  const child = startLading(['serve', ...args], env);
  children.push(child);
  let stdout = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  // A process that it started may keep the output open after its end, so 'close' may never come.
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return { port, child, announcement: () => stdout, complaint: () => stderr, exited, ended };
}

const lastLinesMs = 500;

/** Waits until the service has said that it is ready, or has ended. */
async function ready(serving: Serving): Promise<string> {
  const isReady = () => /"ready"|Lading is ready/.test(serving.announcement());
  while (!isReady()) {
    const more = once(serving.child.stdout!, 'data').then(() => 'more' as const);
    const code = await Promise.race([serving.exited, more]);
    if (code === 'more' || isReady()) continue;
    // The last lines may arrive after the exit.
    await Promise.race([serving.ended, sleep(lastLinesMs)]);
    assert.fail(`serve ended with ${code}: ${serving.complaint()}`);
  }
  return serving.announcement();
}

async function stop(serving: Serving) {
  serving.child.kill('SIGTERM');
  return await serving.ended;
}

async function readiness(port: number): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: 'close' } });
  return { status: answer.status, body: await answer.json() };
}

function signedRequest(accountNo: string, secret: string, body: string): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = createHmac('sha256', secret).update(`${body}${timestamp}`).digest('hex');
  return (
    `POST /warehouse/v1/product/sync HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccount-no: ${accountNo}\r\n` +
    `timestamp: ${timestamp}\r\nsign: ${sign}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

test('the first start on an empty database shows the credentials of a demo account that work; the second shows none', async () => {
  const store = await emptyStore();
  const first = await start(store);
  const announcement = await ready(first);

  assert.match(
    announcement,
    /^\nThe database was empty, so a demo account was created\. Its credentials are shown only once:\n/,
  );
  const secret = /shared secret +(las_[A-Za-z0-9_-]{43})\n/.exec(announcement)![1]!;
  const secretForms = [/CheckValue +lcv_/, /API key +llk_/, /callback secret +whsec_/, /password +lop_/];
  for (const form of [...secretForms, /lading call \/warehouse\/v1\/product\/sync /]) assert.match(announcement, form);
  assert.ok(announcement.endsWith(`\nLading is ready at http://127.0.0.1:${first.port}\n`));
  assert.deepEqual(await readiness(first.port), { status: 200, body: { status: 'ready' } });

  const socket = connect(first.port, '127.0.0.1');
  socket.write(signedRequest('DEMO', secret, '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}'));
  const [answer] = await once(socket, 'data');
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1\.1 200 OK\r\n/);

  const ended = await stop(first);
  assert.deepEqual([ended.code, ended.stdout], [0, announcement]);
  const logLines = ended.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lastLines = logLines.slice(-2).map(({ level, msg }) => `${level} ${msg}`);
  assert.deepEqual(lastLines, ['info stopping', 'info stopped']);
  for (const { time } of logLines) assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(ended.stderr.includes(secret), false);

  const second = await start(store);
  assert.equal(await ready(second), `Lading is ready at http://127.0.0.1:${second.port}\n`);
  assert.equal((await stop(second)).code, 0);
  assert.deepEqual(
    [...(await store.database.read((sql) => sql`select account_no from account`))],
    [{ account_no: 'DEMO' }],
  );
});

test('serve --apply applies the file, shows what it made, and then serves; a request in flight at SIGTERM is answered in full', async () => {
  const store = await emptyStore();
  const file = join(folder, 'right.yaml');
  writeFileSync(
    file,
    'stores: [{ store_no: 1 }]\naccounts: [{ account_no: ALPHA, environment: uat, secret: alpha-secret-of-thirty-two-characters-or-more }]\n',
  );
  const serving = await start(store, ['--apply', file]);
  assert.equal(
    await ready(serving),
    `created store 1\ncreated account ALPHA\nLading is ready at http://127.0.0.1:${serving.port}\n`,
  );

  const request = signedRequest(
    'ALPHA',
    'alpha-secret-of-thirty-two-characters-or-more',
    '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}',
  );
  const socket = connect(serving.port, '127.0.0.1');
  const received = text(socket);
  socket.write(request.slice(0, -20));
  // The half request has arrived once a later one on another connection is answered.
  assert.equal((await readiness(serving.port)).status, 200);

  // As from a terminal through npm: the same again at the same moment.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) serving.child.kill(signal);
  let during = await readiness(serving.port);
  while (during.status === 200) during = await readiness(serving.port);
  assert.deepEqual(during, { status: 503, body: { status: 'not_ready', reasons: ['the service is stopping'] } });

  socket.write(request.slice(-20));
  const answer = await received;
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).success, true);
  assert.equal((await serving.ended).code, 0);
  assert.deepEqual([...(await store.database.read((sql) => sql`select sku_id from product`))], [{ sku_id: 'TEA-1' }]);
});

test('a wrong provisioning file, a missing one, a port in use and an address of another machine stop the start before anything changes', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const store = await emptyStore();
  const before = await dumpTables(store.database);
  const [wrong, none] = [join(folder, 'wrong.yaml'), join(folder, 'none.yaml')];
  writeFileSync(wrong, 'stores: [{ store_no: 1 }]\naccounts:\n  - account_no: ALPHA\n');
  const dataDir = join(folder, 'data');
  const own = { ...settingsFor(store), LOG_LEVEL: 'silent', PORT: '0' };
  const embedded = { DATA_DIR: dataDir, PORT: '0' };
  const mistake = 'line 3, accounts[0]: environment is missing, and account ALPHA is new';
  const inUse = `port ${port} on 127.0.0.1 is in use by another program; set PORT to a free one`;
  const elsewhere = '192.0.2.1 is not an address of this machine; set HOST';
  const refusals: [command: string, env: Record<string, string>, code: number, message: string][] = [
    [`serve --apply ${wrong}`, own, 1, `${wrong} contains errors; nothing was changed:\n  ${mistake}`],
    [`serve --apply ${none}`, own, 2, `${none} cannot be read (ENOENT)`],
    ['serve', { ...own, PORT: String(port) }, 3, inUse],
    ['serve', { ...embedded, PORT: String(port) }, 3, inUse],
    ['serve', { ...embedded, HOST: '192.0.2.1' }, 3, elsewhere],
  ];
  for (const [command, env, code, message] of refusals)
    assert.deepEqual(await makeRunHere(env).run(command), { code, stdout: '', stderr: `lading: ${message}\n` });
  other.close();
  assert.deepEqual(await dumpTables(store.database), before);
  assert.equal(existsSync(dataDir), false);
});

test('serve --json says in JSON lines what was made and that it is ready; a worker serves health and no API', async () => {
  const store = await emptyStore();
  const serving = await start(store, ['--json', '--role', 'worker']);
  const [made, isReady] = (await ready(serving))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    made.secrets.map(({ kind, owner }: Record<string, string>) => `${kind} ${owner}`),
    [
      ...['account_secret DEMO', 'check_value demo', 'logistics_key DEMO/demo', 'callback_secret DEMO/demo'],
      'operator_password demo',
    ],
  );
  assert.deepEqual(isReady, { ready: `http://127.0.0.1:${serving.port}` });
  assert.equal((await readiness(serving.port)).status, 200);
  const syncUrl = `http://127.0.0.1:${serving.port}/warehouse/v1/product/sync`;
  assert.equal((await fetch(syncUrl, { method: 'POST', body: '{}' })).status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${serving.port}/`, { redirect: 'manual' })).status, 404);
  const roles = async () => (await store.database.read((sql) => sql`select role from node`)).map(({ role }) => role);
  await until('its heartbeat is recorded', async () => (await roles()).length > 0);
  assert.deepEqual(await roles(), ['worker']);
  assert.equal((await stop(serving)).code, 0);
  assert.deepEqual(await roles(), []);
});

test('a service that logs in as the owner of the tables, or is behind a proxy that it does not trust, warns at start', async () => {
  const store = await emptyStore();
  const PUBLIC_URL = 'https://oms.example';
  const weak = { PUBLIC_URL, DATABASE_URL: migratingSettingsFor(store).DATABASE_OWNER_URL! };
  const warnings: number[][] = [];
  for (const settings of [weak, { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }]) {
    const serving = await start(store, ['--no-demo'], settings);
    await ready(serving);
    const { code, stderr } = await stop(serving);
    assert.equal(code, 0, stderr);
    const times = (text: string) => stderr.split(text).length - 1;
    warnings.push([
      times('the service logs in to PostgreSQL as lading, which is a superuser'),
      times('PUBLIC_URL is https, so a proxy in front of the service must decrypt TLS, but TRUSTED_PROXIES is empty'),
    ]);
  }
  assert.deepEqual(warnings, [
    [1, 1],
    [0, 0],
  ]);
  // Output of a service is often kept in a log, so --no-demo prints no credentials and creates none.
  assert.deepEqual([...(await store.database.read((sql) => sql`select account_no from account`))], []);
});
