import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { connect, type Sql } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { freePort, makeDataDir, provisioningFile, startProgram, stopService, waitUntilReady } from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { type FuzzCaller, makeFuzzCaller } from './fuzz-caller.ts';
import {
  entriesMax,
  type FieldPath,
  type FuzzedEndpoint,
  fieldPaths,
  fuzzedEndpoints,
  soundBody,
  standingCount,
  standingInbound,
  standingOrder,
  stockedSku,
  withEntries,
  withFragment,
  withNeighbours,
  withoutField,
} from './hostile-bodies.ts';
import { hostileRequests } from './hostile-requests.ts';
import { hostileShapes } from './hostile-shapes.ts';
import { anyFragment, type Fragment, hostileFragments } from './hostile-values.ts';
import { makeRandom, type Random } from './random.ts';
import { openRawConnection, type RawAnswer, rawRequest } from './raw-connection.ts';
import { differencesAfter, wrongEcho } from './read-back.ts';
import { runAudit } from './run-audit.ts';
import { type LongTurn, readLongTurns, turnWatchOptions } from './turn-watch.ts';

type Json = Record<string, unknown>;

const stallMs = 50;
const atOnce = 8;
const soundTenant = 'T';
/** Where goods count when they are reported. */
const reportedTenant = 'REPORTED';

/**
 * Everything that a caller could say and should not: over real sockets, to a real process. Whatever it is, it is answered, as the contract says;
 * what is refused changes nothing, what is accepted comes back as it was sent, and nobody else is kept waiting.
 */
export async function fuzz(options: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  addReportedTenant(dataDir);
  const turnsFile = join(dataDir, 'turns');
  const postgres = await openEmbeddedPostgres({ dataDir });
  const port = await freePort();
  const args = ['server/main.ts', '--role', 'api', '--apply', join(dataDir, provisioningFile)];
  // Without a worker: hostile addresses are looked at, and never called.
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'error', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8', NODE_OPTIONS: turnWatchOptions(turnsFile) };
  const service = startProgram(args, { dataDir, port, env });
  const sql = connect(postgres.connection, 1);
  try {
    await waitUntilReady(service, 60);
    const caller = await makeFuzzCaller(port);
    const run = makeRun({ ...options, caller, sql, turnsFile });
    await run.everything();
    caller.close();
    if (service.process.exitCode !== null) caller.findings.push(`the service ended by itself:\n${service.output.text}`);
    await stopService(service);
    await run.compareStored();
    const auditSays = await runAudit(dataDir);
    if (auditSays !== 'clean') caller.findings.push(`lading audit ${auditSays}`);
    return { ...run.report(), audit: auditSays };
  } finally {
    await stopService(service);
    await sql.end({ timeout: 1 });
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function addReportedTenant(dataDir: string): void {
  const file = join(dataDir, provisioningFile);
  const provisioning = JSON.parse(readFileSync(file, 'utf8'));
  provisioning.accounts[0].tenants.push({ warehouse_tpw_id: reportedTenant, warehouse_no: 1, store_no: 1, receiving: 'on_confirm' });
  writeFileSync(file, JSON.stringify(provisioning));
}

interface FuzzParts extends FaultOptions {
  caller: FuzzCaller;
  sql: Sql;
  turnsFile: string;
}

/** A body for an endpoint, and what makes it hostile. */
interface FuzzCase {
  endpoint: FuzzedEndpoint;
  body: Buffer;
  what: string;
}

function makeRun({ quick, seed, progress, caller, sql, turnsFile }: FuzzParts) {
  const random = makeRandom(seed);
  const figures: Record<string, number | string> = {};
  const accepted = { orders: new Set<string>(), inbounds: new Set<string>(), products: new Map<string, string | null>() };
  const refusedTraces = new Set<string>();
  const sentAt: { startedMs: number; endedMs: number; one: FuzzCase }[] = [];
  let sent = 0;
  let acknowledged = 0;
  let altered = 0;
  let numbers = 0;

  const nextNumber = () => ++numbers;
  const find = (what: string) => void caller.findings.push(what);
  const endpointOf = (operationId: string) => fuzzedEndpoints.find((endpoint) => endpoint.operationId === operationId)!;

  async function everything(): Promise<void> {
    await prepare();
    await baseline();
    await unchanged('requests that are no requests', sendHostileRequests);
    await unchanged('JSON broken at every byte', sendBrokenJson);
    await pipelines();
    await sweep();
    await shapes();
    await tokenCalls();
    await baseline();
  }

  async function prepare(): Promise<void> {
    const inbound = (number: string, tenant: string) => ({
      ...{ inbound_short_id: number, warehouse_tpw_id: tenant },
      details: [{ sku_id: stockedSku, expires: [{ expire_date: '2099-06-30', qty: 1_000_000_000 }] }],
    });
    await must('productSync', { sku_id: stockedSku, sku_name: 'Stocked', storage_type: 1 });
    await must('inboundCreate', inbound('STOCK', soundTenant));
    await inParallel([...Array(standingCount).keys()], async (index) => {
      await must('inboundCreate', inbound(standingInbound(index), reportedTenant));
      await must('outboundCreate', { ...soundBody(endpointOf('outboundCreate'), 0), outbound_short_id: standingOrder(index) });
    });
  }

  async function must(operationId: string, body: object): Promise<void> {
    const one = { endpoint: endpointOf(operationId), body: Buffer.from(JSON.stringify(body)), what: 'sound' };
    const answer = await send(one);
    if (answer?.status !== 200) throw new Error(`${operationId} was refused: ${answer?.body}`);
  }

  /** What honest calls cost, each endpoint in turn; before, so that the service has warmed up, and afterwards, since nothing may have changed. */
  async function baseline(): Promise<void> {
    const from = Date.now();
    const rounds = quick ? 6 : 60;
    for (let round = 0; round < rounds; round++) {
      const endpoints = fuzzedEndpoints.filter(({ operationId }) => operationId !== 'getToken');
      const cases = endpoints.map((endpoint) => ({ endpoint, body: soundBytes(endpoint), what: 'sound' }));
      await inParallel(cases, async (one) => {
        const answer = await send(one);
        // What was reported before may have been the last word.
        const mayBeRefused = ['inboundsStop', 'inboundsReceive', 'fulfilmentAdvance'].includes(one.endpoint.operationId);
        if (answer && answer.status !== 200 && !mayBeRefused) find(`a sound body is refused: ${one.endpoint.operationId} ${answer.body}`);
      });
    }
    const when = 'baselineLongestTurnMs' in figures ? 'afterwardsLongestTurnMs' : 'baselineLongestTurnMs';
    figures[when] = await longestTurnSince(from);
  }

  const soundBytes = (endpoint: FuzzedEndpoint) => Buffer.from(JSON.stringify(soundBody(endpoint, nextNumber())));

  /** Sends one, and notes what was accepted. */
  async function send(one: FuzzCase): Promise<RawAnswer | null> {
    const startedMs = Date.now();
    sent++;
    const answer = await caller.post(one.endpoint.path, one.body);
    sentAt.push({ startedMs, endedMs: Date.now(), one });
    if (!answer) return null;
    if (answer.status >= 500 || answer.status === 429) find(`${answer.status} to ${describe(one)}`);
    if (answer.status === 200) await take(one, JSON.parse(answer.body));
    else if (!answer.body.includes('LST-TPW-2001')) refusedTraces.add(answer.headers['trace-id']!);
    return answer;
  }

  async function take({ endpoint: { operationId }, body: bytes, what }: FuzzCase, envelope: Json): Promise<void> {
    const body: Json = JSON.parse(bytes.toString());
    const { idempotent } = ((envelope.data ?? envelope.retval) as Json) ?? {};
    if (operationId.startsWith('search') || operationId === 'getToken') return;
    acknowledged++;
    const isForm = operationId === 'inboundForm';
    if (operationId === 'productSync') accepted.products.set(String(body.sku_id), String(body.sku_name));
    if (operationId === 'shippingOrder' || (isForm && body.form_type !== 3)) {
      for (const { sku } of body.products as Json[]) if (!accepted.products.has(String(sku))) accepted.products.set(String(sku), null);
    }
    if (isForm && body.form_type !== 3) accepted.inbounds.add(String(body.form_no));
    if (operationId === 'inboundCreate' || operationId === 'inboundReturn') accepted.inbounds.add(String(body.inbound_short_id));
    if (operationId === 'outboundCreate' || operationId === 'ordersCreate') accepted.orders.add(String(body.outbound_short_id));
    if (operationId === 'shippingOrder') accepted.orders.add(String(body.internal_name));

    const echo = wrongEcho(operationId, body, envelope);
    if (echo !== null) find(`altered in the answer: ${operationId}, ${what}: ${echo}`);
    if (idempotent === true || (isForm && body.form_type === 3)) return;
    const differences = await differencesAfter(caller, operationId, body);
    altered += differences.length;
    for (const difference of differences) find(`altered: ${operationId}, ${what}: ${difference}`);
  }

  /** None of what is sent meanwhile may leave a trace in any table. */
  async function unchanged(what: string, work: () => Promise<void>): Promise<void> {
    progress(what);
    const before = await fingerprint(sql);
    await work();
    const after = await fingerprint(sql);
    for (const [table, print] of Object.entries(before)) if (after[table] !== print) find(`${what}: the table ${table} has changed`);
  }

  async function sendHostileRequests(): Promise<void> {
    await inParallel(hostileRequests(caller), async ({ name, bytes, statuses, path, method = 'POST' }) => {
      sent++;
      const connection = openRawConnection(caller.port);
      connection.send(bytes);
      const answer = caller.hold(await connection.answer(undefined, method === 'HEAD'), { method, path, what: name });
      if (answer && !statuses.includes(answer.status)) find(`${answer.status} instead of ${statuses.join(' or ')}: ${name}`);
      connection.end();
    });
  }

  /** Cut off at every byte, with every byte changed, and with one too many: never what was meant. */
  async function sendBrokenJson(): Promise<void> {
    const broken: FuzzCase[] = [];
    for (const operationId of ['outboundCreate', 'shippingOrder', 'ordersCreate', 'inboundCreate']) {
      const endpoint = endpointOf(operationId);
      const whole = soundBytes(endpoint);
      for (let at = 0; at < whole.length; at += quick ? 23 : 1) {
        const changes: [string, Buffer][] = [
          ['cut off', whole.subarray(0, at)],
          ['a NUL', Buffer.concat([whole.subarray(0, at), Buffer.of(0), whole.subarray(at)])],
          ['no UTF-8', Buffer.concat([whole.subarray(0, at), Buffer.of(0xe8), whole.subarray(at)])],
          ['a brace', Buffer.concat([whole.subarray(0, at), Buffer.from('}'), whole.subarray(at + 1)])],
        ];
        broken.push(...changes.map(([what, body]) => ({ endpoint, body, what: `${what} at byte ${at}` })));
      }
    }
    await inParallel(broken, async (one) => {
      // A brace in a text is no mistake.
      if (isJson(one.body)) return;
      const answer = await send(one);
      if (answer && answer.status !== 400) find(`${answer.status} instead of 400: ${describe(one)}`);
    });
  }

  /** Many requests in one go: as many answers, in their order, and those after a broken one have none. */
  async function pipelines(): Promise<void> {
    progress('pipelines');
    for (let round = 0; round < (quick ? 10 : 100); round++) {
      const bodies = Array.from({ length: random.upTo(40) }, () => `{"sku_ids":["${stockedSku}-${nextNumber()}"]}`);
      const path = endpointOf('stockQuery').path;
      const requests = bodies.map((body) => {
        const bytes = Buffer.from(body);
        return rawRequest('POST', path, [['content-type', 'application/json'], ...caller.credentialsFor(path, bytes)], bytes);
      });
      const connection = openRawConnection(caller.port);
      const all = Buffer.concat([...requests, Buffer.from('rubbish\r\n\r\n')]);
      for (const piece of piecesOf(all, random)) {
        connection.send(piece);
        if (random.oneIn(3)) await sleep(1);
      }
      for (const body of bodies) {
        sent++;
        const answer = caller.hold(await connection.answer(), { method: 'POST', path, what: `in a pipeline: ${body}` });
        const [skuId] = JSON.parse(body).sku_ids;
        if (answer && !answer.body.includes(`"${skuId}"`)) find(`a pipeline was answered in another order: ${answer.body} to ${body}`);
      }
      const last = caller.hold(await connection.answer(), { method: 'POST', path: null, what: 'rubbish at the end of a pipeline' });
      if (last && last.status !== 400) find(`rubbish at the end of a pipeline was answered with ${last.status}`);
      connection.end();
    }
  }

  /** Every field of every endpoint with every hostile value, or with as many as there is time for. */
  async function sweep(): Promise<void> {
    const from = Date.now();
    const places = fuzzedEndpoints
      .filter(({ operationId }) => operationId !== 'getToken')
      .flatMap((endpoint) => fieldPaths(endpoint.schema).map((path) => ({ endpoint, path })));
    const [perPlace, randomPerPlace] = quick ? [5, 2] : [hostileFragments.length, 60];
    const drawn = fc.sample(anyFragment, { numRuns: places.length * randomPerPlace, seed });
    progress(`${places.length} fields, ${perPlace + randomPerPlace} hostile values each`);
    for (const [index, { endpoint, path }] of places.entries()) {
      const fragments = [
        ...someOf(hostileFragments, perPlace, random),
        ...drawn.slice(index * randomPerPlace, (index + 1) * randomPerPlace),
      ];
      await inParallel(casesAt(endpoint, path, fragments), async (one) => void (await send(one)));
      if (index % 60 === 59) progress(`${index + 1} fields, ${sent} requests`);
    }
    figures.fields = places.length;
    figures.sweepLongestTurnMs = await longestTurnSince(from);
    await confirmStalls(from);
  }

  function casesAt(endpoint: FuzzedEndpoint, path: FieldPath, fragments: Fragment[]): FuzzCase[] {
    const name = `${endpoint.operationId} ${path.join('.')}`;
    const fresh = () => soundBody(endpoint, nextNumber());
    const max = entriesMax(endpoint.schema, path);
    return [
      ...fragments.map((fragment) => ({
        endpoint,
        what: `${name} = ${String(fragment).slice(0, 100)}`,
        body: withFragment(fresh(), path, fragment),
      })),
      { endpoint, what: `${name} left out`, body: withoutField(fresh(), path) },
      ...withNeighbours(fresh(), path).map((body) => ({ endpoint, what: `${name} with a neighbour`, body })),
      ...(max === null
        ? []
        : withEntries(fresh(), path, [0, max, max + 1, max * 10]).map((body) => ({ endpoint, what: `${name}, a list`, body }))),
    ].filter(({ body }) => body.length <= 1_048_576);
  }

  /** A long turn in a crowd may be many short ones: whatever was under way is sent again, alone. */
  async function confirmStalls(from: number): Promise<void> {
    const long = readLongTurns(turnsFile).filter((turn) => turn.atMs >= from && turn.cpuMs > stallMs);
    const underWay = (turn: LongTurn) =>
      sentAt.filter(({ startedMs, endedMs }) => startedMs <= turn.atMs && endedMs >= turn.atMs - turn.wallMs).map(({ one }) => one);
    const suspects = [...new Set(long.flatMap(underWay))].slice(0, 100);
    figures.turnsSuspected = long.length;
    for (const one of suspects) {
      const cpuMs = await costOf(() => send(one));
      if (!quick && cpuMs > stallMs) find(`a stall of ${Math.round(cpuMs)} ms: ${describe(one)}`);
    }
  }

  /** The worst that 1 MiB can be made of, one at a time. */
  async function shapes(): Promise<void> {
    progress('bodies of 1 MiB');
    const costs: { name: string; cpuMs: number; isSound: boolean }[] = [];
    for (const { name, path, isSound, make } of hostileShapes) {
      const endpoint = fuzzedEndpoints.find((one) => one.path === path)!;
      const cpuMs = await costOf(() => send({ endpoint, body: make(newDocumentNumber), what: name }));
      costs.push({ name, cpuMs, isSound });
      if (!isSound && !quick && cpuMs > stallMs) find(`a stall of ${Math.round(cpuMs)} ms: ${name}`);
    }
    costs.sort((left, right) => right.cpuMs - left.cpuMs);
    const worded = (isSound: boolean) => costs.filter((cost) => cost.isSound === isSound).map(({ name, cpuMs }) => `${name}: ${cpuMs} ms`);
    figures.costliest = worded(false).slice(0, 4).join('; ');
    figures.costliestWithinLimits = worded(true).slice(0, 3).join('; ');
    figures.shapes = costs.length;
  }

  const newDocumentNumber = () => `L-${nextNumber()}`;

  /** The longest turn that it brings about, in processor time: the middle one of three, since the first may be compiling. Once, where no time counts. */
  async function costOf(work: () => Promise<unknown>): Promise<number> {
    const costs: number[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      await sleep(20);
      const from = Date.now();
      await work();
      costs.push(await longestTurnSince(from));
    }
    return costs.sort((left, right) => left - right)[costs.length >> 1]!;
  }

  async function longestTurnSince(from: number): Promise<number> {
    // The watch looks every few milliseconds, once the turn is over.
    await sleep(30);
    const turns = readLongTurns(turnsFile).filter((turn) => turn.atMs >= from);
    return Math.round(Math.max(0, ...turns.map((turn) => turn.cpuMs)));
  }

  /** The last, since wrong guesses are answered with 429 for a while. */
  async function tokenCalls(): Promise<void> {
    const endpoint = endpointOf('getToken');
    const cases = fieldPaths(endpoint.schema).flatMap((path) =>
      casesAt(endpoint, path, someOf(hostileFragments, quick ? 20 : 400, random)),
    );
    await inParallel(cases, async ({ body, what }) => {
      sent++;
      const answer = await caller.post(endpoint.path, body);
      if (answer && ![200, 400, 429].includes(answer.status)) find(`${answer.status} to ${what}`);
    });
  }

  /** What exists is what was accepted, and nothing that was refused has left a trace. */
  async function compareStored(): Promise<void> {
    const [orders, inbounds, products] = [
      await sql<{ number: string }[]>`select partner_number as number from orders`,
      await sql<{ number: string }[]>`select partner_number as number from inbound_document`,
      await sql<{ number: string; name: string }[]>`select sku_id as number, name from product`,
    ];
    compareNumbers('order', orders, accepted.orders);
    compareNumbers('inbound document', inbounds, accepted.inbounds);
    compareNumbers('product', products, new Set(accepted.products.keys()));
    for (const { number, name } of products) {
      const sentName = accepted.products.get(number);
      if (sentName && sentName !== name) find(`the name of ${number} was ${sentName} and is ${name}`);
    }
    const traces = await sql<{ trace_id: string }[]>`
      select trace_id from orders union select trace_id from inbound_document union select trace_id from movement union select trace_id from state_change`;
    for (const { trace_id } of traces) if (refusedTraces.has(trace_id)) find(`the refused call ${trace_id} has changed something`);
  }

  function compareNumbers(kind: string, stored: { number: string }[], expected: Set<string>): void {
    const there = new Set(stored.map(({ number }) => number));
    for (const number of expected)
      if (!there.has(number)) lostOnes.push(`the ${kind} ${JSON.stringify(number)} was accepted and is not stored`);
    for (const number of there) if (!expected.has(number)) find(`the ${kind} ${JSON.stringify(number)} is stored and was not accepted`);
  }

  const lostOnes: string[] = [];

  function report(): FaultReport {
    const statuses = [...caller.statuses].sort(([left], [right]) => left - right).map(([status, count]) => `${status}: ${count}`);
    return {
      ...emptyReport('fuzz'),
      rounds: sent,
      acknowledged,
      lost: lostOnes.length,
      wrong: caller.findings.length,
      figures: { answersHeld: caller.answers(), statuses: statuses.join(', '), altered, ...figures },
      findings: [...lostOnes, ...caller.findings],
    };
  }

  return { everything, compareStored, report };
}

function describe({ what, endpoint, body }: FuzzCase): string {
  return `${endpoint.path} ${what}: ${body.toString('utf8', 0, 300)}`;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function someOf<T>(all: T[], count: number, random: Random): T[] {
  return count >= all.length ? all : Array.from({ length: count }, () => random.anyOf(all));
}

function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.oneIn(2) ? bytes.length : random.upTo(1500);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** Every table that a call could change: how many rows, and the sum over all that they say. */
async function fingerprint(sql: Sql): Promise<Record<string, string>> {
  const tables = [
    'product',
    'lot',
    'movement',
    'inbound_document',
    'inbound_line',
    'orders',
    'order_line',
    'state_change',
    'receipt',
    'callback',
    'transfer',
  ];
  const prints: Record<string, string> = {};
  for (const table of tables) {
    const [row] = await sql.unsafe(
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as print from ${table} t`,
    );
    prints[table] = row!.print;
  }
  return prints;
}
