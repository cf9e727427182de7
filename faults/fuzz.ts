import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { connect, type Sql } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { makeNormalizer } from '../server/platform/normalize.ts';
import {
  faultAccount,
  faultClient,
  freePort,
  makeDataDir,
  provisioningFile,
  startProgram,
  stopService,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { type FuzzCaller, makeFuzzCaller } from './fuzz-caller.ts';
import {
  callsBefore,
  endpointOf,
  entriesMax,
  type FieldPath,
  type FuzzedEndpoint,
  fieldPaths,
  fuzzedEndpoints,
  manyUnits,
  neighbours,
  reportedTenant,
  soundBody,
  stockedSku,
  withEntries,
  withFragment,
  withNeighbour,
  withoutField,
} from './hostile-bodies.ts';
import { anyDocument } from './hostile-documents.ts';
import { hostileRequests } from './hostile-requests.ts';
import { hostileShapes } from './hostile-shapes.ts';
import { anyFragment, type Fragment, hostileFragments } from './hostile-values.ts';
import { patiently } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { openRawConnection, type RawAnswer, rawRequest } from './raw-connection.ts';
import { differencesAfter, wrongEcho } from './read-back.ts';
import { runAudit } from './run-audit.ts';
import { type LongTurn, readLongTurns, turnWatchOptions } from './turn-watch.ts';

type Json = Record<string, unknown>;

const stallMs = 50;
const stallTries = 5;
const suspectsMax = 300;
/** The watch looks every few milliseconds, once a turn is over. */
const watchedWithinMs = 30;
const atOnce = 8;

/**
 * Everything that a caller could say and should not: over real sockets, to a real process. Whatever it is, it is answered, as the contract says;
 * what is refused changes nothing, what is accepted comes back as it was sent, and nobody else is kept waiting.
 */
export async function fuzz(options: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  addReportedTenant(dataDir);
  const turnsFile = join(dataDir, 'turns');
  // A service that root has started is another user by then.
  writeFileSync(turnsFile, '');
  chmodSync(turnsFile, 0o666);
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

/** Bodies for an endpoint, and what makes them hostile. */
interface FuzzCase {
  endpoint: FuzzedEndpoint;
  what: string;
  /** Another number makes it another document: what is sent again costs as much as the first time. */
  make(number: number): Buffer;
  /** It must be accepted: otherwise others like it would not get to where they are meant to. */
  isSound?: boolean;
}

/** Something that was sent, and how to send the like of it again. */
interface Sent {
  what: string;
  startedMs: number;
  endedMs: number;
  again(): Promise<unknown>;
}

function makeRun({ quick, seed, progress, caller, sql, turnsFile }: FuzzParts) {
  const random = makeRandom(seed);
  const figures: Record<string, number | string> = {};
  const accepted = {
    ...{ orders: new Set<string>(), inbounds: new Set<string>(), receipts: new Set<string>() },
    products: new Map<string, string | null>(),
  };
  const refusedTraces = new Set<string>();
  const allSent: Sent[] = [];
  const tooLongMs = patiently(stallMs, quick);
  let sent = 0;
  let acknowledged = 0;
  let altered = 0;
  let numbers = 0;
  let turnsSuspected = 0;
  let requestsSuspected = 0;

  const nextNumber = () => ++numbers;
  const find = (what: string) => void caller.findings.push(what);

  async function everything(): Promise<void> {
    await prepare();
    await baseline();
    await withoutStalls(() => unchanged('requests that are no requests', sendHostileRequests));
    await withoutStalls(() => unchanged('JSON broken at every byte', sendBrokenJson));
    await withoutStalls(pipelines);
    await withoutStalls(documents);
    await withoutStalls(sweep);
    await shapes();
    await baseline();
  }

  async function prepare(): Promise<void> {
    const days = Array.from({ length: 100 }, (_, index) => `${2100 + index}-06-30`);
    const inbound = { inbound_short_id: 'STOCK', warehouse_tpw_id: faultAccount.tenant, details: [manyUnits(days), manyUnits(days)] };
    await must('productSync', { sku_id: stockedSku, sku_name: 'Stocked', storage_type: 1 });
    await must('inboundCreate', inbound);
  }

  async function must(operationId: string, body: object): Promise<void> {
    await send({ endpoint: endpointOf(operationId), make: () => Buffer.from(JSON.stringify(body)), what: 'made before', isSound: true });
  }

  /** What honest calls cost, each endpoint in turn; before, so that the service has warmed up, and afterwards, since nothing may have changed. */
  async function baseline(): Promise<void> {
    const from = Date.now();
    for (let round = 0; round < (quick ? 4 : 60); round++) {
      await inParallel(fuzzedEndpoints.map(soundCase), async (one) => void (await send(one)));
    }
    const when = 'baselineLongestTurnMs' in figures ? 'afterwardsLongestTurnMs' : 'baselineLongestTurnMs';
    figures[when] = await longestTurnSince(from);
  }

  function soundCase(endpoint: FuzzedEndpoint): FuzzCase {
    return { endpoint, make: (number) => Buffer.from(JSON.stringify(soundBody(endpoint, number))), what: 'sound', isSound: true };
  }

  async function send(one: FuzzCase): Promise<RawAnswer | null> {
    const body = one.make(nextNumber());
    return await watched(
      describe(one, body),
      () => exchange(one, body),
      () => send(one),
    );
  }

  /** Sends one, after what it needs, and notes what was accepted. */
  async function exchange(one: FuzzCase, body: Buffer): Promise<RawAnswer | null> {
    const { endpoint, isSound = false } = one;
    for (const before of callsBefore(endpoint.operationId, readJson(body))) {
      await send({ endpoint: before.endpoint, make: () => Buffer.from(JSON.stringify(before.body)), what: 'made before' });
    }
    const answer = await caller.post(endpoint.path, body);
    if (!answer) return null;
    if (answer.status >= 500 || (answer.status === 429 && !mayBeGuessing(one, body))) find(`${answer.status} to ${describe(one, body)}`);
    if (isSound && !isDone(answer)) find(`a sound body is refused: ${describe(one, body)}: ${answer.body}`);
    if (answer.status === 200) await take(one, body, JSON.parse(answer.body));
    else if (!answer.body.includes('LST-TPW-2001')) refusedTraces.add(answer.headers['trace-id']!);
    return answer;
  }

  async function watched<T>(what: string, work: () => Promise<T>, again: () => Promise<unknown> = work): Promise<T> {
    const startedMs = Date.now();
    sent++;
    const result = await work();
    allSent.push({ what, startedMs, endedMs: Date.now(), again });
    return result;
  }

  async function take({ endpoint: { operationId, schema }, what }: FuzzCase, bytes: Buffer, envelope: Json): Promise<void> {
    if (operationId.startsWith('search') || operationId === 'getToken') return;
    const body = makeNormalizer(schema)(JSON.parse(bytes.toString())) as Json;
    const told = ((envelope.data ?? envelope.retval) as Json) ?? {};
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
    if (operationId === 'inboundsReceive' && body.receipt_no) accepted.receipts.add(receiptText(body));

    const echo = wrongEcho(operationId, body, envelope);
    if (echo !== null) find(`altered in the answer: ${operationId}, ${what}: ${echo}`);
    if (told.idempotent === true || (isForm && body.form_type === 3)) return;
    const differences = await differencesAfter(caller, operationId, body, told);
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
      await watched(name, async () => {
        const connection = openRawConnection(caller.port);
        connection.send(bytes);
        const answer = caller.hold(await connection.answer(undefined, method === 'HEAD'), { method, path, what: name });
        if (answer && !statuses.includes(answer.status)) find(`${answer.status} instead of ${statuses.join(' or ')}: ${name}`);
        connection.end();
      });
    });
  }

  /** Cut off at every byte, with every byte changed, and with one too many: never what was meant. */
  async function sendBrokenJson(): Promise<void> {
    const broken: FuzzCase[] = [];
    for (const operationId of ['outboundCreate', 'shippingOrder', 'ordersCreate', 'inboundCreate']) {
      const endpoint = endpointOf(operationId);
      const whole = soundCase(endpoint).make(nextNumber());
      for (let at = quick ? random.upTo(23) : 0; at < whole.length; at += quick ? 23 : 1) {
        const changes: [string, Buffer][] = [
          ['cut off', whole.subarray(0, at)],
          ['a NUL', Buffer.concat([whole.subarray(0, at), Buffer.of(0), whole.subarray(at)])],
          ['no UTF-8', Buffer.concat([whole.subarray(0, at), Buffer.of(0xe8), whole.subarray(at)])],
          ['a brace', Buffer.concat([whole.subarray(0, at), Buffer.from('}'), whole.subarray(at + 1)])],
        ];
        // A brace in a text is no mistake.
        const mistakes = changes.filter(([, body]) => readJson(body) === undefined);
        broken.push(...mistakes.map(([what, body]) => ({ endpoint, make: () => body, what: `${what} at byte ${at}` })));
      }
    }
    await inParallel(broken, async (one) => {
      const answer = await send(one);
      if (answer && answer.status !== 400) find(`${answer.status} instead of 400: ${describe(one, one.make(0))}`);
    });
  }

  /** Many requests in one go: as many answers, in their order, and those after a broken one have none. */
  async function pipelines(): Promise<void> {
    progress('pipelines');
    for (let round = 0; round < (quick ? 10 : 100); round++) await watched('a pipeline', pipeline);
  }

  async function pipeline(): Promise<void> {
    const bodies = Array.from({ length: random.upTo(40) }, () => `{"sku_ids":["${stockedSku}-${nextNumber()}"]}`);
    const { path } = endpointOf('stockQuery');
    const requests = bodies.map((body) => {
      const bytes = Buffer.from(body);
      return rawRequest('POST', path, [['content-type', 'application/json'], ...caller.credentialsFor(path, bytes)], bytes);
    });
    const connection = openRawConnection(caller.port);
    // After the rubbish comes what nobody may read any more.
    const all = Buffer.concat([...requests, Buffer.from('rubbish\r\n\r\n'), requests[0]!]);
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
    const behind = await connection.answer();
    if (behind !== 'closed') find(`what came after rubbish: ${behind === 'silent' ? 'the connection stays open' : behind.status}`);
    connection.end();
  }

  /** Every field of every endpoint with every hostile value, or with as many as there is time for. */
  async function sweep(): Promise<void> {
    const from = Date.now();
    const places = fuzzedEndpoints.flatMap((endpoint) => fieldPaths(endpoint.schema).map((path) => ({ endpoint, path })));
    const [perPlace, randomPerPlace] = quick ? [2, 1] : [hostileFragments.length, 60];
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
  }

  function casesAt(endpoint: FuzzedEndpoint, path: FieldPath, fragments: Fragment[]): FuzzCase[] {
    const name = `${endpoint.operationId} ${path.join('.')}`;
    const max = entriesMax(endpoint.schema, path);
    const made = (what: string, from: (body: object) => Buffer): FuzzCase => ({
      ...{ endpoint, what: `${name} ${what}` },
      make: (number) => from(soundBody(endpoint, number)),
    });
    return [
      soundCase(endpoint),
      ...fragments.map((fragment) => made(`= ${String(fragment).slice(0, 100)}`, (body) => withFragment(body, path, fragment))),
      made('left out', (body) => withoutField(body, path)),
      ...neighbours(path).map((neighbour) => made(`beside ${neighbour}`, (body) => withNeighbour(body, path, neighbour))),
      ...(max === null ? [] : [0, max, max + 1, max * 10]).map((count) => made(`${count} times`, (body) => withEntries(body, path, count))),
    ].filter(({ make }) => make(0).length <= 1_048_576);
  }

  /** Every endpoint with bodies that fast-check draws from its schema, all fields at once. */
  async function documents(): Promise<void> {
    const perEndpoint = quick ? 8 : 250;
    progress(`${perEndpoint} bodies drawn from each schema`);
    const doneOf: Record<string, number> = {};
    for (const endpoint of fuzzedEndpoints) {
      const { operationId, schema } = endpoint;
      const cases = Array.from({ length: perEndpoint }, (_, index): FuzzCase => {
        const draw = (number: number) => fc.sample(anyDocument(schema, soundBody(endpoint, number)), { numRuns: 1, seed: seed + index })[0];
        return { endpoint, make: (number) => Buffer.from(JSON.stringify(draw(number))), what: `drawn with ${seed + index}` };
      });
      doneOf[operationId] = 0;
      await inParallel(cases, async (one) => {
        const answer = await send(one);
        if (answer && isDone(answer)) doneOf[operationId]!++;
      });
      if (doneOf[operationId] === 0 && !quick) find(`none of ${perEndpoint} bodies drawn from the schema of ${operationId} was accepted`);
    }
    figures.drawnAccepted = `${Object.values(doneOf).reduce((sum, count) => sum + count)} of ${perEndpoint * fuzzedEndpoints.length}`;
  }

  /** A long turn in a crowd may be many short ones: the like of whatever was under way is sent again, alone. */
  async function withoutStalls(work: () => Promise<void>): Promise<void> {
    allSent.length = 0;
    const from = Date.now();
    await work();
    await sleep(watchedWithinMs);
    const long = readLongTurns(turnsFile).filter((turn) => turn.atMs >= from && turn.cpuMs > tooLongMs);
    const underWay = (turn: LongTurn) =>
      allSent.filter(({ startedMs, endedMs }) => startedMs <= turn.atMs && endedMs >= turn.atMs - turn.wallMs);
    const suspects = [...new Set(long.flatMap(underWay))];
    turnsSuspected += long.length;
    requestsSuspected += suspects.length;
    for (const { what, again } of someOf(suspects, suspectsMax, random)) await findStall(what, again);
  }

  /** How long the longest turn is that it brings about; too long is wrong. */
  async function findStall(what: string, work: () => Promise<unknown>): Promise<number> {
    const cpuMs = await costOf(work);
    if (cpuMs > tooLongMs) find(`a stall of ${cpuMs} ms: ${what}`);
    return cpuMs;
  }

  /** The worst that 1 MiB can be made of, one at a time. */
  async function shapes(): Promise<void> {
    progress('bodies of 1 MiB');
    const costs: { name: string; cpuMs: number; isSound: boolean }[] = [];
    for (const { name, path, isSound, make } of hostileShapes) {
      const endpoint = fuzzedEndpoints.find((one) => one.path === path)!;
      const cpuMs = await findStall(name, async () => {
        const answer = await send({ endpoint, make: (number) => make(`L-${number}`), what: name });
        if (answer && answer.status !== (isSound ? 200 : 400)) find(`${answer.status} instead of ${isSound ? 200 : 400}: ${name}`);
      });
      costs.push({ name, cpuMs, isSound });
    }
    costs.sort((left, right) => right.cpuMs - left.cpuMs);
    const worded = (isSound: boolean) => costs.filter((cost) => cost.isSound === isSound).map(({ name, cpuMs }) => `${name}: ${cpuMs} ms`);
    figures.costliest = worded(false).slice(0, 4).join('; ');
    figures.costliestWithinLimits = worded(true).slice(0, 3).join('; ');
    figures.shapes = costs.length;
  }

  /** The longest turn that it brings about, in processor time: the middle one of several, since the first may be compiling. */
  async function costOf(work: () => Promise<unknown>): Promise<number> {
    const costs: number[] = [];
    for (let round = 0; round < stallTries; round++) {
      await sleep(20);
      const from = Date.now();
      await work();
      costs.push(await longestTurnSince(from));
      // A quick run has no time for what is fast enough.
      if (quick && costs[0]! <= tooLongMs) return costs[0]!;
    }
    return costs.sort((left, right) => left - right)[costs.length >> 1]!;
  }

  async function longestTurnSince(from: number): Promise<number> {
    await sleep(watchedWithinMs);
    const turns = readLongTurns(turnsFile).filter((turn) => turn.atMs >= from);
    return Math.round(Math.max(0, ...turns.map((turn) => turn.cpuMs)));
  }

  /** What exists is what was accepted, and nothing that was refused has left a trace. */
  async function compareStored(): Promise<void> {
    const [orders, inbounds, products] = [
      await sql<{ number: string }[]>`select partner_number as number from orders`,
      await sql<{ number: string }[]>`select partner_number as number from inbound_document`,
      await sql<{ number: string; name: string }[]>`select sku_id as number, name from product`,
    ];
    const receipts = await sql<{ number: string; receiptNo: string }[]>`
      select partner_number as number, receipt_no as "receiptNo" from receipt join inbound_document using (inbound_id)`;
    const receiptTexts = receipts.map(({ number, receiptNo }) => ({ number: JSON.stringify([number, receiptNo]) }));
    compareNumbers('receipt', receiptTexts, accepted.receipts);
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
      figures: { answersHeld: caller.answers(), statuses: statuses.join(', '), altered, turnsSuspected, requestsSuspected, ...figures },
      findings: [...lostOnes, ...caller.findings],
    };
  }

  return { everything, compareStored, report };
}

function describe({ what, endpoint }: FuzzCase, body: Buffer): string {
  return `${endpoint.path} ${what}: ${body.toString('utf8', 0, 300)}`;
}

/** undefined: it is none. */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Accepted as a whole, and each entry of it. */
function isDone({ status, body }: RawAnswer): boolean {
  return status === 200 && !/"done":false|"status":"(refused|not_found)"/.test(body);
}

/** Only whoever tries names that it never had the secret of is made to wait. */
function mayBeGuessing({ endpoint }: FuzzCase, body: Buffer): boolean {
  return endpoint.operationId === 'getToken' && (readJson(body) as Json)?.ClientId !== faultClient.clientId;
}

function receiptText({ inbound_short_id, form_no, receipt_no }: Json): string {
  return JSON.stringify([inbound_short_id ?? form_no, receipt_no]);
}

function someOf<T>(all: T[], count: number, random: Random): T[] {
  if (count >= all.length) return all;
  const rest = [...all];
  return Array.from({ length: count }, () => rest.splice(random.upTo(rest.length) - 1, 1)[0]!);
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

/** Every table but those of the requests, of signs of life and of who called last and from where: how many rows, and the sum over all that they say. */
async function fingerprint(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'request_log%'
      and relname not in ('node', 'partner_use', 'client_network')`;
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as print from ${sql(name)} t`;
    prints[name] = row!.print;
  }
  return prints;
}
