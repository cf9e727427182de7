import { postgresPid, withService } from '../faults/child-process.ts';
import { connect } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { type Balance, checkBalance } from './balance.ts';
import { median, type Output, rounded } from './figures.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load-generator.ts';
import { orderedSkuIds } from './order-shapes.ts';
import { type Watch, watchOthers } from './others.ts';
import { stockUp } from './stock-up.ts';

const plenty = 1_000_000_000;
const preparedPerSecond = 15_000;
const preparedPerConnectionAndSecond = 2500;
const numbers = 'K';

interface Plan {
  patienceSeconds: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
}
const quickPlan: Plan = { patienceSeconds: 8, warmUpSeconds: 1.5, rounds: 3, seconds: 2 };
const fullPlan: Plan = { patienceSeconds: 120, warmUpSeconds: 3, rounds: 5, seconds: 5 };

type Loads = Record<'sdk' | 'sockets', LoadGenerator>;

/** What calling through the SDK costs: orders of two lines, 64 at a time and one by one, beside the bare sockets that the other benchmarks load with. */
export async function benchSdk(options: { quick: boolean; env: Record<string, string> }, output: Output): Promise<{ correct: boolean }> {
  const plan = options.quick ? quickPlan : fullPlan;
  return await withService({ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...options.env }, async (service, dataDir) => {
    const embedded = await openEmbeddedPostgres({ dataDir });
    const sql = connect(embedded.connection, 1);
    const loads: Loads = { sdk: startLoadGenerator('sdk'), sockets: startLoadGenerator() };
    try {
      await stockUp(service.url, orderedSkuIds, ['2099-12-31'], plenty);
      const ours = [process.pid, service.process.pid!, loads.sdk.pid, loads.sockets.pid];
      const watch = watchOthers(ours, [postgresPid(dataDir)!], plan.patienceSeconds);
      const turns = makeTurns(Number(new URL(service.url).port), watch, output);
      for (const connections of [64, 1]) await measure(turns, loads, connections, plan, output);
      return { correct: reportCorrectness(turns, await checkBalance(sql, numbers), output) };
    } finally {
      for (const load of Object.values(loads)) load.stop();
      await sql.end({ timeout: 5 });
      await embedded.close();
    }
  });
}

type Turns = ReturnType<typeof makeTurns>;

/** Stretches of load with numbers that never repeat, and the count of what was promised. */
function makeTurns(port: number, watch: Watch, output: Output) {
  const totals = { acknowledged: 0, unanswered: 0, wrong: 0 };
  let slices = 0;

  async function run(load: LoadGenerator, connections: number, seconds: number): Promise<LoadResult & { others: number }> {
    const { result, others } = await watch.undisturbed(async () => {
      const requestsMax = Math.ceil(seconds * Math.min(preparedPerSecond, connections * preparedPerConnectionAndSecond));
      const requests = { kind: 'orders', shape: 'spread', numbersBeginWith: `${numbers}${++slices}-` } as const;
      const measured = await load.run({ port, connections, seconds, requestsMax, requests });
      for (const what of ['acknowledged', 'unanswered', 'wrong'] as const) totals[what] += measured[what];
      if (measured.example) output.progress(`  wrong: ${measured.example}`);
      return measured;
    });
    return { ...result, others };
  }

  return { run, totals };
}

interface Pair {
  sdk: LoadResult;
  sockets: LoadResult;
  others: number;
}

async function measure({ run }: Turns, loads: Loads, connections: number, plan: Plan, output: Output): Promise<void> {
  for (const load of Object.values(loads)) await run(load, connections, plan.warmUpSeconds);
  const pairs: Pair[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    const sdk = await run(loads.sdk, connections, plan.seconds);
    const sockets = await run(loads.sockets, connections, plan.seconds);
    pairs.push({ sdk, sockets, others: (sdk.others + sockets.others) / 2 });
    const rates = `${rounded(sdk.perSecond, 0)}/s by the SDK, ${rounded(sockets.perSecond, 0)}/s by sockets`;
    output.progress(`${connections} at a time: ${rates}`);
  }
  output.row('orders of two lines, through the SDK and by bare sockets', figuresOf(connections, pairs));
}

function reportCorrectness({ totals }: Turns, { ofService, ...balance }: Balance, output: Output): boolean {
  const { acknowledged, unanswered, wrong } = totals;
  const isExplained = ofService >= acknowledged && ofService <= acknowledged + unanswered;
  const mistakes = [
    ...balance.mistakes,
    ...(isExplained ? [] : [`${acknowledged} orders were acknowledged, and ${ofService} exist`]),
    ...(wrong === 0 ? [] : [`${wrong} answers were not a new order`]),
  ];
  for (const mistake of mistakes.slice(0, 20)) output.progress(`MISTAKE: ${mistake}`);
  output.row('correctness', { acknowledged, 'in the table': ofService, 'never answered': unanswered, mistakes: mistakes.length });
  return mistakes.length === 0;
}

function figuresOf(connections: number, pairs: Pair[]) {
  const of = (by: 'sdk' | 'sockets', what: 'perSecond' | 'p50Ms' | 'cpuShare') => median(pairs.map((pair) => pair[by][what]));
  return {
    'at a time': connections,
    'sdk/s': rounded(of('sdk', 'perSecond'), 0),
    'sockets/s': rounded(of('sockets', 'perSecond'), 0),
    ratio: rounded(median(pairs.map(({ sdk, sockets }) => sdk.perSecond / sockets.perSecond)), 2),
    'sdk p50 ms': rounded(of('sdk', 'p50Ms'), 2),
    'sockets p50 ms': rounded(of('sockets', 'p50Ms'), 2),
    'cpu of the sdk, %': rounded(100 * of('sdk', 'cpuShare'), 0),
    'cpu of the sockets, %': rounded(100 * of('sockets', 'cpuShare'), 0),
    'others took, %': rounded(100 * median(pairs.map(({ others }) => others)), 0),
  };
}
