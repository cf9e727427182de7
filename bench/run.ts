/** npm run bench -- --help */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { removeWhenBrokenOff } from '../faults/child-process.ts';
import { describeRun } from '../faults/machine.ts';
import { goalsOf, keepMeasured } from '../faults/measured-page.ts';
import { chooseOtherPostgres } from '../tools/other-postgres.ts';
import { type Benchmark, type BenchOptions, fullPlan, quickPlan } from './benchmark.ts';
import { type Figures, makeOutput, type Row, rounded } from './figures.ts';
import { watchOthers } from './others.ts';

/** All benchmarks, in the order in which they run. */
const benchmarks: Record<string, () => Promise<Benchmark>> = {
  outbound: async () => (await import('./outbound.ts')).benchOutbound,
  calls: async () => (await import('./calls.ts')).benchCalls,
  lots: async () => (await import('./lots.ts')).benchLots,
  token: async () => (await import('./token.ts')).benchToken,
  sdk: async () => (await import('./sdk.ts')).benchSdk,
  search: async () => (await import('./search.ts')).benchSearch,
  console: async () => (await import('./console.ts')).benchConsole,
  find: async () => (await import('./find.ts')).benchFind,
  trends: async () => (await import('./trends.ts')).benchTrends,
  lists: async () => (await import('./lists.ts')).benchLists,
  exports: async () => (await import('./exports.ts')).benchExports,
  callbacks: async () => (await import('./callbacks.ts')).benchCallbacks,
  backup: async () => (await import('./backup.ts')).benchBackup,
  purge: async () => (await import('./purge.ts')).benchPurge,
  json: async () => (await import('./strict-json.ts')).benchStrictJson,
  processes: async () => (await import('./processes.ts')).benchProcesses,
  versions: async () => (await import('./versions.ts')).benchVersions,
  storage: async () => (await import('./storage.ts')).benchStorage,
  growth: async () => (await import('./growth.ts')).benchGrowth,
  soak: async () => (await import('./soak.ts')).benchSoak,
  citus: async () => (await import('./citus.ts')).benchCitus,
  'side-by-side': async () => (await import('./side-by-side.ts')).benchSideBySide,
  oversell: async () => (await import('./oversell.ts')).benchOversell,
};
/** Three need more than this repository brings; the others work on each of up to five million orders, which takes half an hour. */
const onlyNamed = ['citus', 'side-by-side', 'oversell', 'find', 'trends', 'exports'];
const resultsFile = 'bench/measured.jsonl';
const mistakesShown = 20;
const usage = `npm run bench -- [NAME...] [OPTION...]

names: ${Object.keys(benchmarks).join(', ')}; without a name, all of them but ${onlyNamed.join(', ')}

  --quick              the shortest run of everything; its figures are not meaningful
  --json               a JSON line for each row
  --profile            where the time goes, by function and by statement
  --seed N             the random choices of an earlier run
  --minutes N          the duration of soak
  --orders N           the number of stored orders, in the benchmarks of the office pages (lists, find, trends, exports)
  --others FOLDER      where the products that side-by-side and oversell compare with are installed
  --write              stores the results and writes them into docs/performance.md
  --help               this text

of versions:
  --before FOLDER      the version to compare with; without it, this one
  --rounds N           turns of each version under each load
  --connections N,...  numbers of connections, such as 64,256
  --accounts N,...     numbers of accounts, such as 1,10,200
  --only PART          orders (load) or requests (one at a time)
`;
const partsOfVersions = ['orders', 'requests'] as const;

function readArguments() {
  const options = {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    orders: { type: 'string' },
    before: { type: 'string' },
    others: { type: 'string' },
    rounds: { type: 'string' },
    connections: { type: 'string' },
    accounts: { type: 'string' },
    only: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const strangers = positionals.filter((name) => !(name in benchmarks));
  if (strangers.length > 0) throw new Error(`there is no benchmark ${strangers.join(', ')}`);
  const { quick, rounds, connections, accounts, only, orders } = values;
  if (values.write && (quick || rounds || connections || accounts || only || orders))
    throw new Error('what a shortened run measures is not for --write');
  return {
    ...values,
    names:
      positionals.length > 0
        ? Object.keys(benchmarks).filter((name) => positionals.includes(name))
        : Object.keys(benchmarks).filter((name) => !onlyNamed.includes(name)),
    seed: wholeNumber(values.seed) ?? Math.floor(Math.random() * 2 ** 31),
    minutes: wholeNumber(values.minutes),
    orders: values.orders === undefined ? null : count(values.orders),
    before: values.before === undefined ? null : resolve(values.before),
    others: values.others === undefined ? null : resolve(values.others),
    rounds: rounds === undefined ? null : count(rounds),
    connections: connections?.split(',').map(count) ?? null,
    accounts: accounts?.split(',').map(count) ?? null,
    only: partOfVersions(only),
  };
}

function wholeNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}

function count(text: string): number {
  const number = wholeNumber(text)!;
  if (number === 0) throw new Error('a count is at least 1');
  return number;
}

function partOfVersions(text: string | undefined): BenchOptions['only'] {
  if (text === undefined) return null;
  const part = partsOfVersions.find((name) => name === text);
  if (!part) throw new Error(`--only is one of ${partsOfVersions.join(', ')}`);
  return part;
}

async function runAll({ names, json, write, ...given }: ReturnType<typeof readArguments>): Promise<void> {
  const options: BenchOptions = { ...given, plan: given.quick ? quickPlan : fullPlan };
  const run: Figures = describeRun({ seed: given.seed });
  if (json) process.stdout.write(`${JSON.stringify({ title: 'run', ...run })}\n`);
  else console.table([run]);

  const rows: Row[] = [];
  for (const name of names) {
    const measured = await runOne(name, options, json);
    rows.push(...measured);
    // Written one by one, so that results are kept if a later benchmark fails.
    if (write) keepMeasured(resultsFile, name, run, measured.filter(isForThePage));
  }
  if (write) (await import('../tools/generate.ts')).writeGeneratedFiles();
  if (!json) reportGoals(rows);
}

function isForThePage({ title }: Row): boolean {
  return !title.startsWith('profile: ');
}

function reportGoals(rows: Row[]): void {
  const goals = goalsOf(rows.map(({ benchmark, ...row }) => ({ subject: benchmark, ...row })));
  if (goals.length === 0) return;
  process.stdout.write('\nall goals\n');
  console.table(goals);
}

async function runOne(name: string, options: BenchOptions, json: boolean): Promise<Row[]> {
  const output = makeOutput(name, { json, quick: options.quick });
  output.progress(`\n${name}`);
  const startedAt = performance.now();
  const { result: mistakes, others } = await watchOthers(0).observe(async () => {
    try {
      const benchmark = await benchmarks[name]!();
      return (await benchmark(options, output)).mistakes;
    } catch (error) {
      return [`it could not be run to its end: ${(error as Error).stack}`];
    }
  });
  output.row('the benchmark itself', {
    seconds: Math.round((performance.now() - startedAt) / 1000),
    'others took, %': rounded(100 * others, 0),
    mistakes: mistakes.length,
  });
  for (const mistake of mistakes.slice(0, mistakesShown)) output.progress(`MISTAKE: ${mistake}`);
  if (mistakes.length > 0) process.exitCode = 1;
  output.end();
  return output.rows;
}

let given: ReturnType<typeof readArguments>;
try {
  given = readArguments();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exit(2);
}
if (given.help) {
  process.stdout.write(usage);
  process.exit(0);
}
removeWhenBrokenOff();
await chooseOtherPostgres();
await runAll(given);
