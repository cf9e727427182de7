import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { programParts } from '../../faults/new-version.ts';
import { unprivilegedUser } from '../../server/platform/postgres/embedded/database-user.ts';
import { runLading } from '../support/command.ts';
import { form, item } from '../support/logistics.ts';
import { isAlive } from '../support/process-alive.ts';
import { until } from '../support/worker.ts';

const isRootOnLinux = process.platform === 'linux' && process.getuid!() === 0;
const skip = isRootOnLinux ? false : 'only root on Linux has privileges to give up';
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-leave-root-'));
chmodSync(folder, 0o755);
let child: ChildProcess | undefined;
const received = Promise.withResolvers<string>();
const receiver = createHttpServer((request, response) => {
  response.end();
  received.resolve(request.headers['webhook-id'] as string);
});
after(() => {
  child?.kill('SIGKILL');
  receiver.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** The program in a folder that only root may enter, as below root's home. */
function makeClosedTree(): string {
  const tree = join(folder, 'closed', 'lading');
  mkdirSync(tree, { recursive: true });
  for (const part of [...programParts, 'console/dist']) cpSync(join(root, part), join(tree, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  chmodSync(join(folder, 'closed'), 0o700);
  return tree;
}

/** Only root may listen on it. */
async function freePrivilegedPort(): Promise<number> {
  for (let port = 1023; port > 600; port--) {
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    probe.close();
    if (isFree) return port;
  }
  throw new Error('no port below 1024 is free');
}

function userOf(pid: number): string[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return ['Uid', 'Gid', 'Groups'].map((name) =>
    new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(status)![1]!.replaceAll('\t', ' '),
  );
}

const keyOfTest = 'the-key-of-the-test-of-thirty-two-characters-or-more';

test('started as root, the service runs as an unprivileged user once it listens, and does everything as before', {
  skip,
}, async () => {
  const { uid, gid } = unprivilegedUser();
  const asUser = [Array(4).fill(uid).join(' '), Array(4).fill(gid).join(' '), String(gid)];
  const dataDir = join(folder, 'data');
  const file = join(folder, 'provisioning.json');
  const place = { warehouse_no: 1, store_no: 1 };
  writeFileSync(
    file,
    JSON.stringify({
      warehouses: [{ warehouse_no: 1 }],
      stores: [{ store_no: 1 }],
      accounts: [{ account_no: 'ALPHA', environment: 'uat' }],
      logistics_keys: [{ name: 'wms', key: keyOfTest, account_no: 'ALPHA', ...place, receiving: 'on_create' }],
    }),
  );
  const port = await freePrivilegedPort();
  const settings = { DATA_DIR: dataDir, PORT: String(port), DRAIN_S: '0', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' };
  const tree = makeClosedTree();
  child = spawn(join(tree, 'bin/lading'), ['serve', '--apply', file], {
    cwd: tree,
    env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: process.env.NODE_OPTIONS ?? '', ...settings },
  });
  const [stderr, ended] = [text(child.stderr!), once(child, 'exit')];
  let stdout = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  const isReady = () => stdout.includes('Lading is ready');
  await until('it is ready or has ended', async () => isReady() || child!.exitCode !== null);
  assert.ok(isReady(), isReady() ? '' : await stderr);
  const url = `http://127.0.0.1:${port}`;

  // Every thread has given up root, and nothing that root alone may read was given away.
  for (const thread of readdirSync(`/proc/${child.pid}/task`)) assert.deepEqual(userOf(Number(thread)), asUser);
  const { uid: keyUser, mode } = statSync(join(dataDir, 'master.key'));
  assert.deepEqual([keyUser, mode & 0o777], [0, 0o600]);
  assert.equal(statSync(dataDir).uid, 0);

  const assets = readdirSync(join(root, 'console/dist/assets')).filter((name) => /\.(js|css|woff2)$/.test(name));
  const docs = ['viewer.js', 'try.js', 'tour', 'pages.css', 'lading-client.tgz', 'guides', 'guides/quickstart'];
  const files = ['clients/SHA256SUMS', 'vectors/request-signatures.json', 'collections/lading.postman_collection.json'];
  const pages = [
    '/openapi.json',
    '/docs',
    '/console',
    '/metrics',
    ...[...docs, ...files].map((name) => `/docs/${name}`),
  ];
  for (const path of [...pages, ...assets.map((name) => `/console/assets/${name}`)]) {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, path);
  }

  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const order = await fetch(`${url}/logistics/purchases/purchase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: keyOfTest },
    body: JSON.stringify(form('PO-1', [item('TEA-1', 5)], { callback_url })),
  });
  assert.equal(order.status, 200, await order.text());
  assert.match(await received.promise, /^[0-9a-f-]{36}$/);

  // It brings PostgreSQL back, beside it a command of root works, and it stops both.
  const postmaster = () => Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const killed = postmaster();
  process.kill(killed, 'SIGKILL');
  const isBack = async () =>
    existsSync(join(dataDir, 'pg', 'postmaster.pid')) &&
    postmaster() !== killed &&
    (await fetch(`${url}/health/ready`)).ok;
  await until('PostgreSQL is back', isBack);
  assert.deepEqual(userOf(postmaster()), asUser);
  const beside = await runLading(['account', 'list', '--json'], { DATA_DIR: dataDir });
  assert.deepEqual([beside.code, JSON.parse(beside.stdout).length], [0, 1], beside.stderr);
  const last = postmaster();
  child.kill('SIGTERM');
  assert.deepEqual((await ended)[0], 0, await stderr);
  assert.equal(isAlive(last), false);

  // The next start, and the next command, find everything as they need it.
  assert.equal((await runLading(['account', 'list'], { DATA_DIR: dataDir })).code, 0);
});
