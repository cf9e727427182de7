import fc from 'fast-check';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { AcceptedDocuments } from './accepted-documents.ts';
import { faultAccount } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import type { FuzzCaller } from './fuzz-caller.ts';
import { brokenJsonCases, describeCase, drawnCases, type FuzzCase, fieldCases, soundCase } from './fuzz-cases.ts';
import { FuzzSender, isDone } from './fuzz-sender.ts';
import { FuzzTally } from './fuzz-tally.ts';
import { endpointOf, fieldPaths, fuzzedEndpoints, manyUnits, stockedSku } from './hostile-bodies.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';
import { hostileShapes } from './hostile-shapes.ts';
import { anyFragment, hostileFragments } from './hostile-values.ts';
import { sendPipeline } from './pipelined-requests.ts';
import { makeRandom, type Random, someOf } from './random.ts';
import { openRawConnection } from './raw-connection.ts';
import { StallWatch } from './stall-watch.ts';
import { tableFingerprints } from './table-fingerprints.ts';

const parallelRequests = 8;

interface FuzzParts extends FaultOptions {
  caller: FuzzCaller;
  sql: Sql;
  turnsFile: string;
}

interface ShapeCost {
  name: string;
  cpuMs: number;
  isSound: boolean;
}

/** The phases of a fuzz run, in the order in which they are sent. */
export class FuzzRun {
  private readonly parts: FuzzParts;
  private readonly random: Random;
  private readonly tally: FuzzTally;
  private readonly watch: StallWatch;
  private readonly accepted: AcceptedDocuments;
  private readonly sender: FuzzSender;

  constructor(parts: FuzzParts) {
    const { caller, turnsFile, quick, seed } = parts;
    const random = makeRandom(seed);
    const tally = new FuzzTally(caller);
    this.parts = parts;
    this.random = random;
    this.tally = tally;
    this.watch = new StallWatch({
      turnsFile,
      quick,
      random,
      onSent: () => void tally.sent++,
      onStall: (finding) => tally.find(finding),
    });
    this.accepted = new AcceptedDocuments();
    this.sender = new FuzzSender({ caller, tally, watch: this.watch, accepted: this.accepted });
  }

  async sendEverything(): Promise<void> {
    await this.prepareStock();
    await this.measureSoundCalls('baselineLongestTurnMs');
    await this.watch.withoutStalls(() => this.withoutChanges('malformed requests', () => this.sendHostileRequests()));
    await this.watch.withoutStalls(() => this.withoutChanges('JSON broken at every byte', () => this.sendBrokenJson()));
    await this.watch.withoutStalls(() => this.sendPipelines());
    await this.watch.withoutStalls(() => this.sendDrawnBodies());
    await this.watch.withoutStalls(() => this.sendHostileFields());
    await this.sendLargestBodies();
    await this.measureSoundCalls('afterwardsLongestTurnMs');
  }

  async compareStored(): Promise<void> {
    const { sql } = this.parts;
    await this.accepted.compareStored(sql, this.tally);
    const busy = await sql<{ reason: string; count: number }[]>`
      select coalesce(reason, '') as reason, count(*)::int from request_log where status = 503 group by 1`;
    if (busy.length > 0) this.tally.figures.toldToWait = busy.map((one) => `${one.count} x ${one.reason}`).join('; ');
  }

  report(): FaultReport {
    return this.tally.report(this.watch.counts());
  }

  private async prepareStock(): Promise<void> {
    const days = Array.from({ length: 100 }, (_, index) => `${2100 + index}-06-30`);
    await this.sendSound('productSync', { sku_id: stockedSku, sku_name: 'Stocked', storage_type: 1 });
    await this.sendSound('inboundCreate', {
      inbound_short_id: 'STOCK',
      warehouse_tpw_id: faultAccount.tenant,
      details: [manyUnits(days), manyUnits(days)],
    });
  }

  private async sendSound(operationId: string, body: object): Promise<void> {
    const make = () => Buffer.from(JSON.stringify(body));
    await this.sender.send({ endpoint: endpointOf(operationId), make, what: 'preparation', isSound: true });
  }

  /** Warms up the service before the hostile phases, and shows after them whether sound calls still cost the same. */
  private async measureSoundCalls(figure: string): Promise<void> {
    const from = Date.now();
    for (let round = 0; round < (this.parts.quick ? 4 : 60); round++)
      await this.sendAll(fuzzedEndpoints.map(soundCase));
    this.tally.figures[figure] = await this.watch.longestTurnSince(from);
  }

  private async sendAll(cases: FuzzCase[]): Promise<void> {
    await inParallel(cases, async (one) => void (await this.sender.send(one)));
  }

  /** No request of this phase may change any table. */
  private async withoutChanges(phase: string, work: () => Promise<void>): Promise<void> {
    this.parts.progress(phase);
    const before = await tableFingerprints(this.parts.sql);
    await work();
    const after = await tableFingerprints(this.parts.sql);
    for (const [table, fingerprint] of Object.entries(before))
      if (after[table] !== fingerprint) this.tally.find(`${phase}: the table ${table} has changed`);
  }

  private async sendHostileRequests(): Promise<void> {
    await inParallel(hostileRequests(this.parts.caller), (request) =>
      this.watch.observe(request.name, () => this.sendHostileRequest(request)),
    );
  }

  private async sendHostileRequest({ name, bytes, statuses, path, method = 'POST' }: HostileRequest): Promise<void> {
    const { caller } = this.parts;
    const connection = openRawConnection(caller.port);
    connection.send(bytes);
    const answer = caller.hold(await connection.answer(undefined, method === 'HEAD'), { method, path, what: name });
    if (answer && !statuses.includes(answer.status))
      this.tally.find(`${answer.status} instead of ${statuses.join(' or ')}: ${name}`);
    connection.end();
  }

  private async sendBrokenJson(): Promise<void> {
    const { quick } = this.parts;
    const broken: FuzzCase[] = [];
    for (const operationId of ['outboundCreate', 'shippingOrder', 'ordersCreate', 'inboundCreate']) {
      const endpoint = endpointOf(operationId);
      const whole = soundCase(endpoint).make(this.sender.nextNumber());
      for (let at = quick ? this.random.upTo(23) : 0; at < whole.length; at += quick ? 23 : 1)
        broken.push(...brokenJsonCases(endpoint, whole, at));
    }
    await inParallel(broken, async (one) => {
      const answer = await this.sender.send(one);
      if (answer && answer.status !== 400)
        this.tally.find(`${answer.status} instead of 400: ${describeCase(one, one.make(0))}`);
    });
  }

  private async sendPipelines(): Promise<void> {
    const { quick, progress, caller } = this.parts;
    progress('pipelined requests');
    for (let round = 0; round < (quick ? 10 : 100); round++)
      await this.watch.observe('a pipeline', async () => {
        const length = this.random.upTo(40);
        const skuIds = Array.from({ length }, () => `${stockedSku}-${this.sender.nextNumber()}`);
        this.tally.sent += length;
        await sendPipeline(skuIds, { caller, random: this.random, find: (what) => this.tally.find(what) });
      });
  }

  private async sendDrawnBodies(): Promise<void> {
    const { quick, seed, progress } = this.parts;
    const perEndpoint = quick ? 8 : 250;
    progress(`${perEndpoint} bodies drawn from each schema`);
    let acceptedInAll = 0;
    for (const endpoint of fuzzedEndpoints) {
      let accepted = 0;
      await inParallel(drawnCases(endpoint, perEndpoint, seed), async (one) => {
        const answer = await this.sender.send(one);
        if (answer && isDone(answer)) accepted++;
      });
      if (accepted === 0 && !quick)
        this.tally.find(`none of ${perEndpoint} bodies drawn from the schema of ${endpoint.operationId} was accepted`);
      acceptedInAll += accepted;
    }
    this.tally.figures.drawnAccepted = `${acceptedInAll} of ${perEndpoint * fuzzedEndpoints.length}`;
  }

  /** Every field of every endpoint with every hostile value; a quick run takes a sample of the values. */
  private async sendHostileFields(): Promise<void> {
    const { quick, seed, progress } = this.parts;
    const from = Date.now();
    const fields = fuzzedEndpoints.flatMap((endpoint) =>
      fieldPaths(endpoint.schema).map((path) => ({ endpoint, path })),
    );
    const [perField, randomPerField] = quick ? [2, 1] : [hostileFragments.length, 60];
    const drawn = fc.sample(anyFragment, { numRuns: fields.length * randomPerField, seed });
    progress(`${fields.length} fields, ${perField + randomPerField} hostile values each`);
    for (const [index, { endpoint, path }] of fields.entries()) {
      const fragments = [
        ...someOf(hostileFragments, perField, this.random),
        ...drawn.slice(index * randomPerField, (index + 1) * randomPerField),
      ];
      await this.sendAll(fieldCases(endpoint, path, fragments));
      if (index % 60 === 59) progress(`${index + 1} fields, ${this.tally.sent} requests`);
    }
    this.tally.figures.fields = fields.length;
    this.tally.figures.sweepLongestTurnMs = await this.watch.longestTurnSince(from);
  }

  /** The bodies of up to 1 MiB that cost the most, one at a time. */
  private async sendLargestBodies(): Promise<void> {
    this.parts.progress('bodies of 1 MiB');
    const costs: ShapeCost[] = [];
    for (const { name, path, isSound, make } of hostileShapes) {
      const endpoint = fuzzedEndpoints.find((one) => one.path === path)!;
      const expected = isSound ? 200 : 400;
      const cpuMs = await this.watch.findStall(name, async () => {
        const answer = await this.sender.send({ endpoint, make: (number) => make(`L-${number}`), what: name });
        if (answer && answer.status !== expected) this.tally.find(`${answer.status} instead of ${expected}: ${name}`);
      });
      costs.push({ name, cpuMs, isSound });
    }
    const { figures } = this.tally;
    figures.costliest = formatCosts(
      costs.filter((cost) => !cost.isSound),
      4,
    );
    figures.costliestWithinLimits = formatCosts(
      costs.filter((cost) => cost.isSound),
      3,
    );
    figures.shapes = costs.length;
  }
}

function formatCosts(costs: ShapeCost[], countMax: number): string {
  const costliest = costs.toSorted((left, right) => right.cpuMs - left.cpuMs).slice(0, countMax);
  return costliest.map(({ name, cpuMs }) => `${name}: ${cpuMs} ms`).join('; ');
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: parallelRequests }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
