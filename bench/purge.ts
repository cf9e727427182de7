import { faultAccount, postgresPid, type Service, withService } from '../faults/child-process.ts';
import { auditStock } from '../server/domain/audit/audit-stock.ts';
import { addCounts, madeBeforeOf, nothingPurged, type PurgeCounts } from '../server/domain/purge/purge-report.ts';
import { purgeUat } from '../server/domain/purge/purge-uat.ts';
import { connect, type Database, openDatabase } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { checkBalance } from './balance.ts';
import { median, type Output, rounded } from './figures.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load-generator.ts';
import { storeOldDocuments } from './old-documents.ts';
import { orderedSkuIds } from './order-shapes.ts';
import { type Measured, type Watch, watchOthers } from './others.ts';
import { stockUp } from './stock-up.ts';

const plenty = 1_000_000_000;
const connections = 64;
const retentionDays = 30;
const preparedPerSecond = 12_000;
/** Longer than any run: the service's own purge stays away. */
const serviceRetentionDays = '36500';

interface Plan {
  patienceSeconds: number;
  documents: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
}
const quickPlan: Plan = { patienceSeconds: 8, documents: 50_000, warmUpSeconds: 2, rounds: 4, seconds: 3 };
const fullPlan: Plan = { patienceSeconds: 60, documents: 500_000, warmUpSeconds: 3, rounds: 6, seconds: 5 };

/**
 * Signed `outbound/create` over sockets without and beside a purge, in turns, because the machine is not ours alone; then beside the purge until
 * it has taken everything. The purge is the job's own code, in this process.
 */
export async function benchPurge(options: { quick: boolean; env: Record<string, string> }, output: Output): Promise<{ correct: boolean }> {
  const plan = options.quick ? quickPlan : fullPlan;
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', UAT_RETENTION_DAYS: serviceRetentionDays, ...options.env };
  return await withService(env, async (service, dataDir) => {
    const embedded = await openEmbeddedPostgres({ dataDir });
    const sql = connect(embedded.connection, 1);
    const database = openDatabase(embedded.connection, { max: 2, deadlineSeconds: 60 });
    const load = startLoadGenerator();
    try {
      await stockUp(service.url, orderedSkuIds, ['2099-12-31'], plenty);
      const [account] = await sql<{ account_id: number }[]>`select account_id from account where account_no = ${faultAccount.accountNo}`;
      const stored = { accountId: account!.account_id, count: plan.documents, ownLots: 2000 };
      await storeOldDocuments(sql, stored, (line) => output.progress(`stored ${line}`));
      await sql`vacuum analyze`;
      await sql`checkpoint`;

      const watch = watchOthers([process.pid, load.pid, service.process.pid!], [postgresPid(dataDir)!], plan.patienceSeconds);
      const traffic = makeTraffic({ service, load, watch }, output);
      const purge = makePurge(database);
      await compare(plan, traffic, purge, output);
      const purged = purge.purged();

      const balance = await checkBalance(sql, trafficNumbers);
      const { lots, orders, findings } = await auditStock(database);
      const left = await sql<[{ count: number }]>`
        select (select count(*) from orders where partner_number like 'OLD-%') + (select count(*) from inbound_document where partner_number like 'OLD-%') as count`;
      const acknowledged = traffic.acknowledged();
      const mistakes = [
        ...balance.mistakes,
        ...(findings.length === 0 ? [] : [`the audit found ${findings.length}`]),
        ...(left[0].count === 0 ? [] : [`${left[0].count} old documents are left`]),
        ...(purged.orders + purged.inbounds === plan.documents ? [] : [`${purged.orders + purged.inbounds} documents were counted`]),
        ...(balance.ofService >= acknowledged ? [] : [`${acknowledged - balance.ofService} acknowledged orders are missing`]),
      ];
      for (const mistake of mistakes.slice(0, 20)) output.progress(`MISTAKE: ${mistake}`);
      output.row('correctness', {
        'audited lots': lots,
        'audited orders': orders,
        findings: findings.length,
        'acknowledged by the service': acknowledged,
        'in the table': balance.ofService,
        'units kept': purged.unitsKept,
        mistakes: mistakes.length,
      });
      return { correct: mistakes.length === 0 };
    } finally {
      load.stop();
      await Promise.all([sql.end({ timeout: 5 }), database.close()]);
      await embedded.close();
    }
  });
}

type Traffic = ReturnType<typeof makeTraffic>;
type Slice = Measured<LoadResult>;
type Purge = ReturnType<typeof makePurge>;

const trafficNumbers = 'S';

function makeTraffic(parts: { service: Service; load: LoadGenerator; watch: Watch }, output: Output) {
  const port = Number(new URL(parts.service.url).port);
  let slices = 0;
  let acknowledged = 0;

  async function send(when: string, seconds: number): Promise<Slice> {
    const numbersBeginWith = `${trafficNumbers}${++slices}-`;
    const requests = { kind: 'orders' as const, shape: 'spread' as const, numbersBeginWith };
    const { result, others } = await parts.watch.undisturbed(() =>
      parts.load.run({ port, connections, seconds, requestsMax: Math.ceil(seconds * preparedPerSecond), requests }),
    );
    acknowledged += result.acknowledged;
    if (result.wrong > 0) output.progress(`  ${result.wrong} wrong answers, such as: ${result.example}`);
    const latency = `p50 ${result.p50Ms.toFixed(2)} ms   p99 ${result.p99Ms.toFixed(2)} ms`;
    output.progress(
      `${when.padEnd(26)}${result.perSecond.toFixed(0).padStart(6)}/s   ${latency}   (others took ${(100 * others).toFixed(0)} %)`,
    );
    return { result, others };
  }

  return { send, acknowledged: () => acknowledged };
}

/** A purge that is stopped and goes on, with the time that it was at it. */
function makePurge(database: Database) {
  const madeBefore = madeBeforeOf(new Date(), retentionDays);
  let purged = nothingPurged;
  let batches = 0;
  let seconds = 0;
  let isDone = false;

  /** Beside some work, for as long as that takes; or until everything is purged. */
  async function beside<Result>(work: () => Promise<Result>): Promise<Result> {
    const stopping = new AbortController();
    const startedAtMs = performance.now();
    const purging = purgeUat(database, { madeBefore, actor: 'bench', stopping: stopping.signal, onBatch: note }).then((report) => {
      seconds += (performance.now() - startedAtMs) / 1000;
      isDone ||= report === null || report.finishedAt !== null;
    });
    const result = await work();
    stopping.abort();
    await purging;
    return result;
  }

  function note(counts: PurgeCounts): void {
    purged = addCounts(purged, counts);
    batches++;
  }

  return { beside, purged: () => purged, batches: () => batches, seconds: () => seconds, isDone: () => isDone };
}

async function compare(plan: Plan, traffic: Traffic, purge: Purge, output: Output): Promise<void> {
  await traffic.send('warming up', plan.warmUpSeconds);
  const without: Slice[] = [];
  const beside: Slice[] = [];
  for (let round = 1; round <= plan.rounds && !purge.isDone(); round++) {
    without.push(await traffic.send('without a purge', plan.seconds));
    beside.push(await purge.beside(() => traffic.send('beside a purge', plan.seconds)));
  }
  output.row('orders per second', figuresOf(without, beside));

  const toTheEnd: Slice[] = [];
  while (!purge.isDone()) toTheEnd.push(await purge.beside(() => traffic.send('beside a purge, to its end', plan.seconds)));
  // What it left behind is vacuumed now and then.
  const afterwards = [await traffic.send('afterwards', plan.seconds), await traffic.send('afterwards', plan.seconds)];
  if (toTheEnd.length > 0) output.row('to the end of the purge, without turns', figuresOf([...without, ...afterwards], toTheEnd));
  const { orders, inbounds, movements, callbacks } = purge.purged();
  output.row('the purge', {
    documents: orders + inbounds,
    movements,
    callbacks,
    batches: purge.batches(),
    seconds: rounded(purge.seconds(), 1),
    'documents/s': rounded((orders + inbounds) / purge.seconds(), 0),
  });
}

function figuresOf(without: Slice[], beside: Slice[]): Record<string, number> {
  const typical = (slices: Slice[], read: (result: LoadResult) => number) => median(slices.map(({ result }) => read(result)));
  const [rateWithout, rateBeside] = [typical(without, (one) => one.perSecond), typical(beside, (one) => one.perSecond)];
  const [p50Without, p50Beside] = [typical(without, (one) => one.p50Ms), typical(beside, (one) => one.p50Ms)];
  const [p99Without, p99Beside] = [typical(without, (one) => one.p99Ms), typical(beside, (one) => one.p99Ms)];
  const all = [...without, ...beside];
  return {
    before: rounded(rateWithout, 0),
    during: rounded(rateBeside, 0),
    ratio: rounded(rateBeside / rateWithout, 3),
    'p50 before': rounded(p50Without, 2),
    'p50 during': rounded(p50Beside, 2),
    'p99 before': rounded(p99Without, 2),
    'p99 during': rounded(p99Beside, 2),
    'p99 ratio': rounded(p99Beside / p99Without, 2),
    'others took, %': rounded((100 * all.reduce((sum, { others }) => sum + others, 0)) / all.length, 0),
  };
}
