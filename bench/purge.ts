import { addCounts, madeBeforeOf, nothingPurged, type PurgeCounts } from '../server/domain/purge/purge-report.ts';
import { purgeUat } from '../server/domain/purge/purge-uat.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Figures, type Output, rounded } from './figures.ts';
import { storeOldDocuments } from './old-documents.ts';
import { orderedSkuIds } from './order-shapes.ts';
import { checkOrders, makeOrderTraffic, type OrderTraffic } from './order-traffic.ts';
import { plenty, stockUp } from './stock-up.ts';
import { type Contestant, othersOf, type Rate, type Turn, takeTurns, typical } from './turns.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const connections = 64;
const retentionDays = 30;
const documentsFull = 500_000;
const documentsQuick = 2_500;
/** Longer than any run, so that the service's own purge does not interfere. */
const serviceRetentionDays = '36500';

/**
 * Measures signed `outbound/create` over sockets alternately with and without a concurrent purge, because other
 * processes share the machine; then with the purge until it has deleted everything. The purge runs the job's own code
 * in this process.
 */
export async function benchPurge(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const count = options.quick ? documentsQuick : documentsFull;
  return await withWorkbench(
    options,
    output,
    async (workbench) => {
      const { sql, database, accountId, load, port } = workbench;
      await stockUp(workbench.service.url, orderedSkuIds, ['2099-12-31'], plenty);
      await storeOldDocuments(sql, { accountId, count, ownLots: count / 250 }, (line) =>
        output.progress(`stored ${line}`),
      );
      await sql`vacuum analyze`;
      await sql`checkpoint`;

      const traffic = makeOrderTraffic(
        { name: 'the service', numbersBeginWith: 'S', load, port, seed: options.seed },
        output,
      );
      const purge = makePurge(database);
      await compare(options, workbench, traffic, purge, output);

      const { orders, inbounds, unitsKept } = purge.purged();
      const left = await sql<[{ count: number }]>`
        select (select count(*) from orders where account_id = ${accountId} and partner_number like 'OLD-%')
          + (select count(*) from inbound_document where account_id = ${accountId} and partner_number like 'OLD-%') as count`;
      output.row('what was purged', { documents: orders + inbounds, left: left[0].count, 'units kept': unitsKept });
      const mistakes = [
        ...(await checkOrders(workbench, [traffic], output)),
        ...(left[0].count === 0 ? [] : [`${left[0].count} old documents are left`]),
        ...(orders + inbounds === count ? [] : [`${orders + inbounds} documents were counted`]),
      ];
      return { mistakes };
    },
    { env: { UAT_RETENTION_DAYS: serviceRetentionDays } },
  );
}

/** A purge that can be paused, with its total running time. */
function makePurge(database: Database) {
  const madeBefore = madeBeforeOf(new Date(), retentionDays);
  let purged = nothingPurged;
  let batches = 0;
  let seconds = 0;
  let isDone = false;

  /** Runs during some work, or until everything is purged. */
  async function beside<Result>(work: () => Promise<Result>): Promise<Result> {
    const stopping = new AbortController();
    const startedAtMs = performance.now();
    const purging = purgeUat(database, { madeBefore, actor: 'bench', stopping: stopping.signal, onBatch: note }).then(
      (report) => {
        seconds += (performance.now() - startedAtMs) / 1000;
        isDone ||= report === null || report.finishedAt !== null;
      },
    );
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

async function compare(
  { plan }: BenchOptions,
  { watch }: Workbench,
  traffic: OrderTraffic,
  purge: ReturnType<typeof makePurge>,
  output: Output,
): Promise<void> {
  const { run } = traffic.contestant('spread', connections);
  const without: Contestant<Rate> = { name: 'without a purge', run };
  const beside: Contestant<Rate> = { name: 'beside a purge', run: (seconds) => purge.beside(() => run(seconds)) };
  // The documents should last for all rounds, so the warm-up does not purge.
  await without.run(plan.warmUpSeconds || plan.seconds);
  const turns = await takeTurns({ without, beside }, { plan: { ...plan, warmUpSeconds: 0 }, watch, output });
  output.row('orders per second', figuresOf(turns.without, turns.beside));

  const toTheEnd: Turn<Rate>[] = [];
  while (!purge.isDone()) {
    const turn = await takeTurns({ beside }, { plan: { ...plan, warmUpSeconds: 0, rounds: 1 }, watch, output });
    toTheEnd.push(...turn.beside);
  }
  if (toTheEnd.length > 0) output.row('to the end of the purge, without turns', figuresOf(turns.without, toTheEnd));
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

function figuresOf(without: Turn<Rate>[], beside: Turn<Rate>[]): Figures {
  const ratio = (measure: 'perSecond' | 'p99Ms') => typical(beside, measure) / typical(without, measure);
  return {
    without: rounded(typical(without, 'perSecond'), 0),
    beside: rounded(typical(beside, 'perSecond'), 0),
    ratio: rounded(ratio('perSecond'), 3),
    'p50 without': rounded(typical(without, 'p50Ms'), 2),
    'p50 beside': rounded(typical(beside, 'p50Ms'), 2),
    'p99 without': rounded(typical(without, 'p99Ms'), 2),
    'p99 beside': rounded(typical(beside, 'p99Ms'), 2),
    'p99 ratio': rounded(ratio('p99Ms'), 2),
    'others took, %': othersOf([...without, ...beside]),
  };
}
