import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signRequest } from '../../sdk/client.ts';
import { settingsFor, startLading } from '../support/command.ts';
import { makeTestStore } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { isAlive } from '../support/process-alive.ts';
import { until } from '../support/worker.ts';

const rateLimit = 50;
const callers = 6;
const metricsPort = await freePort();
const metricsToken = 'processes-'.repeat(4);
const authorization = `Bearer ${metricsToken}`;
const receiver = await startOtlpReceiver();
const folder = mkdtempSync(join(tmpdir(), 'processes-test-'));
const file = join(folder, 'partners.yaml');
writeFileSync(
  file,
  ['ALPHA', 'BETA', 'GAMMA'].reduce(
    (yaml, name) =>
      `${yaml}  - { account_no: ${name}, environment: uat, secret: ${name}-secret-of-thirty-two-characters-or-more }\n`,
    'accounts:\n',
  ),
);
const store = await makeTestStore({ pool: 2 });
const nodes: Node[] = [];
after(async () => {
  for (const { child, lines } of nodes) {
    child.kill('SIGKILL');
    for (const pid of pidsIn(lines)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Line {
  pid: number;
  msg: string;
  trace_id?: string;
  ended?: number;
  started?: number;
}

interface Node {
  child: ChildProcess;
  port: number;
  /** Its log. */
  lines: Line[];
  ended: Promise<[code: number | null]>;
}

async function startNode(settings: Record<string, string>): Promise<Node> {
  const port = await freePort();
  // Without the check of responses: a process that replaces another one has no access to the files of root.
  const own = { PORT: String(port), PROCESSES: '2', LOG_LEVEL: 'debug', NODE_OPTIONS: '' };
  const env = { ...settingsFor(store), ...own, ...settings };
  const child = startLading(['serve', '--apply', file], env);
  const lines: Line[] = [];
  let rest = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop()!;
    // A process that is killed may leave a part of a line.
    for (const line of pieces) if (/^\{.*\}$/.test(line)) lines.push(JSON.parse(line));
  });
  let stdout = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  const node = { child, port, lines, ended: once(child, 'close') as Promise<[number | null]> };
  nodes.push(node);
  await until('it is ready or has ended', async () => stdout.includes('Lading is ready') || child.exitCode !== null);
  assert.equal(child.exitCode, null, JSON.stringify(lines.slice(-3)));
  return node;
}

const pidsIn = (lines: Line[]) => new Set(lines.flatMap(({ pid, started }) => (started ? [pid, started] : [pid])));

interface Answer {
  status: number;
  traceId: string;
  body: string;
}

/** One request on the connection of this agent. */
async function sync(port: number, accountNo: string, agent: Agent): Promise<Answer> {
  const body = '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}';
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const signed = signRequest({ accountNo, secret: `${accountNo}-secret-of-thirty-two-characters-or-more`, body });
  const call = request({
    ...{ port, host: '127.0.0.1', path: '/warehouse/v1/product/sync', method: 'POST', agent },
    headers: { ...headers, ...signed },
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const received = await text(response);
  return { status: response.statusCode!, traceId: String(response.headers['trace-id']), body: received };
}

const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

async function get(port: number, path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close', authorization } });
  return { status: response.status, body: await response.text() };
}

async function requestsCounted(port: number): Promise<number> {
  const { body } = await get(port, '/metrics');
  const line = /^lading_http_requests_total\{contract="warehouse",endpoint="[^"]+",status="200"\} (\d+)$/m.exec(body);
  return Number(line?.[1] ?? 0);
}

const node = await startNode({
  RATE_LIMIT: String(rateLimit),
  DRAIN_S: '1',
  METRICS_PORT: String(metricsPort),
  METRICS_TOKEN: metricsToken,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
});
/** The processes that serve. */
let serving: number[] = [];
let sent = 0;

/** The process that answered the request with this trace id. */
async function servedBy(traceId: string): Promise<number> {
  const find = () => node.lines.find(({ trace_id, msg }) => trace_id === traceId && msg === 'request');
  await until(`request ${traceId} is in the log`, async () => find() !== undefined);
  return find()!.pid;
}

/** Opens connections until each of these processes has one; returns an agent for each process. */
async function agentsOf(pids: number[]): Promise<Map<number, Agent>> {
  const agents = new Map<number, Agent>();
  await until('every process serves connections', async () => {
    const agent = oneConnection();
    const { status, traceId } = await sync(node.port, 'ALPHA', agent);
    assert.equal(status, 200);
    sent++;
    const pid = await servedBy(traceId);
    if (agents.has(pid)) agent.destroy();
    else agents.set(pid, agent);
    return pids.every((one) => agents.has(one));
  });
  return agents;
}

test('several processes serve one port; one of them has the background work; metrics are those of the node', async () => {
  const rows = () => store.database.read((sql) => sql<{ pid: number; role: string }[]>`select pid, role from node`);
  await until('both have recorded their heartbeat', async () => (await rows()).length === 2);
  assert.deepEqual((await rows()).map(({ role }) => role).toSorted(), ['api', 'both']);
  serving = (await rows()).map(({ pid }) => pid);
  assert.equal(serving.includes(node.child.pid!), false);

  const agents = await agentsOf(serving);
  for (const agent of agents.values()) agent.destroy();
  for (let asked = 0; asked < 6; asked++) assert.equal(await requestsCounted(metricsPort), sent);
  const { body } = await get(metricsPort, '/metrics');
  assert.equal(body.match(/^lading_stock_audit_findings /gm)?.length, 1);
  assert.equal(body.match(/^lading_build_info\{/gm)?.length, 1);
  assert.equal((await get(node.port, '/metrics')).status, 404);
  assert.deepEqual(await get(node.port, '/health/ready'), { status: 200, body: '{"status":"ready"}' });
});

test('every process sends the traces of its requests', async () => {
  const senders = () => new Set(receiver.spans.map(({ resource }) => resource['process.pid'] as number));
  await until('all processes have sent spans', () => serving.every((pid) => senders().has(pid)));
  assert.ok(receiver.spans.some(({ name }) => name === 'group sync_products'));
});

test('the rate limit of an account holds for all processes together; one connection alone may use all of it', async () => {
  const alone = oneConnection();
  const first = await Promise.all(Array.from({ length: rateLimit }, () => sync(node.port, 'BETA', alone)));
  alone.destroy();
  assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]));

  // Both processes are asked for far more than the limit; each alone would admit it.
  const agents = [...(await agentsOf(serving)).values()];
  const startedAt = performance.now();
  const answers = await Promise.all(
    agents.flatMap((agent) => Array.from({ length: 4 * rateLimit }, () => sync(node.port, 'GAMMA', agent))),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const agent of agents) agent.destroy();
  const admitted = answers.filter(({ status }) => status === 200).length;
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  assert.ok(admitted >= rateLimit, `${admitted}`);
  assert.ok(admitted <= 1.4 * rateLimit * (1 + seconds), `${admitted} in ${seconds} s`);
});

interface Trickle {
  /** With the process that the connection led to; null: a new connection, after a failure. */
  failures: { pid: number | null; error: unknown }[];
  stop(): Promise<void>;
}

/** Callers that send one request after the other, each on its own connection, whose process is known at the beginning. */
async function startTrickle(): Promise<Trickle> {
  const failures: Trickle['failures'] = [];
  let isOver = false;
  async function call(agent: Agent, connectedTo: number): Promise<void> {
    let pid: number | null = connectedTo;
    while (!isOver) {
      const answer = await sync(node.port, 'ALPHA', agent).catch((error: Error) => error);
      if (answer instanceof Error || (answer.status !== 200 && answer.status !== 429))
        failures.push({ pid, error: answer });
      if (answer instanceof Error) pid = null;
      await sleep(50);
    }
    agent.destroy();
  }
  const agents = Array.from({ length: callers }, oneConnection);
  const firsts = await Promise.all(agents.map((agent) => sync(node.port, 'BETA', agent)));
  const pids = await Promise.all(firsts.map(({ traceId }) => servedBy(traceId)));
  const calling = agents.map((agent, index) => call(agent, pids[index]!));
  return {
    failures,
    async stop() {
      isOver = true;
      await Promise.all(calling);
    },
  };
}

const replaced = (pid: number) => node.lines.some(({ ended, msg }) => ended === pid && msg.endsWith('it is replaced'));

test('a process that is killed is replaced; only requests that it was working on fail', async () => {
  const before = await requestsCounted(metricsPort);
  const trickle = await startTrickle();
  const [killed] = serving as [number];
  process.kill(killed, 'SIGKILL');
  await until('its end is noticed', async () => replaced(killed));
  const started = () => node.lines.find(({ started, msg }) => started && msg.endsWith('serves'))?.started;
  await until('a new process serves', async () => started() !== undefined);
  await trickle.stop();

  assert.deepEqual(
    trickle.failures.filter(({ pid }) => pid !== killed),
    [],
  );
  assert.ok(trickle.failures.length <= callers, JSON.stringify(trickle.failures));
  serving = [...serving.slice(1), started()!];
  for (const agent of (await agentsOf(serving)).values()) agent.destroy();
  assert.ok((await requestsCounted(metricsPort)) > before);
});

test('a process that does not answer is a reason against readiness', async () => {
  const [silent] = serving as [number];
  process.kill(silent, 'SIGSTOP');
  try {
    const reason = `process ${silent} of this node does not answer`;
    const body = JSON.stringify({ status: 'not_ready', reasons: [reason] });
    assert.deepEqual(await get(node.port, '/health/ready'), { status: 503, body });
  } finally {
    process.kill(silent, 'SIGCONT');
  }
  await until('the node is ready again', async () => (await get(node.port, '/health/ready')).status === 200);
});

test('SIGHUP replaces all processes one by one; no request fails, and the node is always ready', async () => {
  const before = serving;
  const trickle = await startTrickle();
  node.child.kill('SIGHUP');
  const isDone = () => node.lines.some(({ msg }) => msg === 'the restart of the processes is done');
  const probes: Awaited<ReturnType<typeof get>>[] = [];
  async function probe(): Promise<void> {
    while (!isDone()) probes.push(await get(node.port, '/health/ready'));
  }
  // A process needs only moments to end after it has closed its connection to the database.
  const probing = Promise.all(Array.from({ length: callers }, probe));
  await until('the restart is done', async () => isDone());
  await Promise.all([probing, trickle.stop()]);
  assert.deepEqual(
    probes.filter(({ status }) => status !== 200),
    [],
  );
  assert.deepEqual(trickle.failures, []);

  const replacements = node.lines.filter(({ msg }) => msg === 'a process of this node is replaced');
  assert.deepEqual(replacements.map(({ ended }) => ended).toSorted(), before.toSorted());
  serving = replacements.map(({ started }) => started!);
  for (const pid of before) assert.equal(isAlive(pid), false);
  for (const agent of (await agentsOf(serving)).values()) agent.destroy();
});

test('SIGTERM stops all processes; a request in flight is answered, and readiness is refused by all of them', async () => {
  const body = '{"sku_id":"TEA-2","sku_name":"Oolong tea","storage_type":1}';
  const signed = signRequest({ accountNo: 'ALPHA', secret: 'ALPHA-secret-of-thirty-two-characters-or-more', body });
  const headers = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': body.length,
    ...signed,
  });
  const head = headers.reduce((lines, [name, value]) => `${lines}${name}: ${value}\r\n`, '');
  const socket = connect(node.port, '127.0.0.1');
  const received = text(socket);
  socket.write(`POST /warehouse/v1/product/sync HTTP/1.1\r\n${head}\r\n${body.slice(0, 9)}`);
  assert.equal((await get(node.port, '/health/ready')).status, 200);

  // A terminal sends the signal to all processes.
  for (const pid of [node.child.pid!, ...serving]) process.kill(pid, 'SIGINT');
  let readiness = await get(node.port, '/health/ready');
  while (readiness.status === 200) readiness = await get(node.port, '/health/ready');
  assert.deepEqual(readiness, { status: 503, body: '{"status":"not_ready","reasons":["the service is stopping"]}' });
  socket.write(body.slice(9));
  assert.match(await received, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal((await node.ended)[0], 0);
  for (const pid of serving) assert.equal(isAlive(pid), false);
});

test('processes whose supervisor is killed finish and end by themselves', async () => {
  const other = await startNode({ DRAIN_S: '0' });
  const ownRows = () => store.database.read((sql) => sql<{ pid: number }[]>`select pid from node`);
  const pids = (await ownRows()).map(({ pid }) => pid).filter((pid) => isAlive(pid));
  other.child.kill('SIGKILL');
  await until('all of them have ended', async () => pids.every((pid) => !isAlive(pid)));
  await other.ended;
  const stops = other.lines.filter(({ msg }) => msg === 'the supervising process is gone; this process stops');
  assert.equal(stops.length, 2);
});
