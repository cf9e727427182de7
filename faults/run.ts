import { parseArgs } from 'node:util';
import { chooseOtherPostgres } from '../tools/other-postgres.ts';
import { removeWhatWasBegun, removeWhenBrokenOff } from './child-process.ts';
import { emptyReport, type Fault, type FaultReport, FaultSkipped } from './fault.ts';
import { describeRun } from './machine.ts';
import { keepMeasured, type MeasuredRow, overview } from './measured-page.ts';
import { runSideBySide } from './run-side-by-side.ts';

/** npm run faults -- [NAME...] [--quick] [--only KIND...] [--before FOLDER] [--seed N] [--json] [--write]; a fault, with its number in docs/reliability.md. */
interface ListedFault {
  number: number;
  title: string;
  /** Begins before the others of a quick run. */
  isLong?: true;
  /** Not part of a run of all faults, because it takes long and needs other programs. */
  isOnlyNamed?: true;
  run: () => Promise<Fault>;
}

const faults: Record<string, ListedFault> = {
  'kill-node': {
    number: 1,
    title: 'kill -9 of one of three nodes',
    run: async () => (await import('./kill-node.ts')).killNode,
  },
  'kill-postgres': {
    number: 2,
    title: 'kill -9 of a PostgreSQL backend, and of all of PostgreSQL',
    run: async () => (await import('./kill-postgres.ts')).killPostgres,
  },
  'kill-unanswered': {
    number: 3,
    title: 'kill -9 between commit and answer',
    run: async () => (await import('./kill-unanswered.ts')).killUnanswered,
  },
  'database-silent': {
    isLong: true,
    number: 4,
    title: 'a database that is stopped, locked, full of others, or behind a lost link',
    run: async () => (await import('./database-silent.ts')).databaseSilent,
  },
  'disk-full': {
    number: 5,
    title: 'the disk of the database is full, then freed',
    run: async () => (await import('./disk-full.ts')).diskFull,
  },
  clock: { number: 6, title: 'nodes whose clocks are wrong', run: async () => (await import('./clock.ts')).clockOff },
  network: {
    number: 11,
    title: 'a network that drops, duplicates and delays',
    run: async () => (await import('./network.ts')).network,
  },
  crowds: {
    isLong: true,
    number: 7,
    title: 'crowds that trickle, hoard, never end, say nothing, or all ask at once',
    run: async () => (await import('./crowds.ts')).crowds,
  },
  fuzz: {
    isLong: true,
    number: 8,
    title: 'hostile JSON and headers, every field of every endpoint',
    run: async () => (await import('./fuzz.ts')).fuzz,
  },
  receivers: {
    number: 9,
    title: 'receivers of callbacks that hang, drip, bomb and talk rubbish',
    run: async () => (await import('./receivers.ts')).receivers,
  },
  'rolling-restart': {
    isLong: true,
    number: 10,
    title: 'all nodes restarted one after the other, with a migration in the middle',
    run: async () => (await import('./rolling-restart.ts')).rollingRestart,
  },
  kill: {
    number: 12,
    title: 'kill -9 of node, PostgreSQL or both, also while they start for the first time',
    run: async () => (await import('./kill-everything.ts')).killEverything,
  },
  callbacks: {
    number: 13,
    title: 'kill -9 of a worker whose callbacks are at their receiver',
    run: async () => (await import('./callbacks-killed.ts')).callbacksKilled,
  },
  waves: {
    number: 14,
    title: 'kill -9 of a worker whose orders are at their warehouse',
    run: async () => (await import('./waves-killed.ts')).wavesKilled,
  },
  standby: {
    number: 15,
    title: 'commits that no standby has confirmed, and a forced failover',
    run: async () => (await import('./standby.ts')).standby,
  },
  pooler: {
    number: 16,
    title: 'a connection pooler in front of PostgreSQL',
    run: async () => (await import('./pooler.ts')).pooler,
  },
  commands: {
    number: 17,
    title: 'hostile provisioning files and command lines',
    run: async () => (await import('./commands.ts')).commands,
  },
  lanes: {
    number: 18,
    title: 'the same bytes with the direct lane and without it',
    run: async () => (await import('./lanes.ts')).lanes,
  },
  failover: {
    isOnlyNamed: true,
    number: 19,
    title: 'a cluster with automatic failover that loses its leader, its standbys, its etcd or its network',
    run: async () => (await import('./failover.ts')).failover,
  },
  processes: {
    number: 20,
    title: 'kill -9 of the processes of one node, one by one, and a restart of all of them',
    run: async () => (await import('./processes.ts')).killProcesses,
  },
  citus: {
    isOnlyNamed: true,
    number: 21,
    title: 'a worker of Citus is added, and accounts move to it',
    run: async () => (await import('./citus.ts')).citus,
  },
  upgrade: {
    isOnlyNamed: true,
    number: 22,
    title: 'an upgrade behind haproxy and its rollback: two versions side by side, no failed request',
    run: async () => (await import('./upgrade.ts')).upgrade,
  },
  pgbackrest: {
    isOnlyNamed: true,
    number: 23,
    title: 'backups with pgBackRest under load, a restore, and a restore of an exact moment',
    run: async () => (await import('./pgbackrest.ts')).pgbackrest,
  },
  schema: {
    number: 24,
    title: 'requests generated from the published OpenAPI document',
    run: async () => (await import('./schema.ts')).schema,
  },
};

type Row = FaultReport | { fault: string; skipped: string };
type Timed = Row & { seed: number; quick: boolean; seconds: number };

/** Full runs check time limits, so nothing else runs beside them. */
const atOnce = { quick: 4, full: 1 };

const resultsFile = 'faults/measured.jsonl';
const shownFindingsMax = 20;
/** The end of a log has the reason. */
const shownOfFinding = { beginning: 1000, end: 3000 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    before: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const quick = values.quick;
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
const names = positionals.length > 0 ? positionals : Object.keys(faults).filter((name) => !faults[name]!.isOnlyNamed);
const belongsTo = (name: string) => names.length === 1 && names[0] === name;
const isMisplaced =
  (values.only.length > 0 && !belongsTo('failover')) || (values.before !== undefined && !belongsTo('upgrade'));
const unknown = names.filter((name) => !Object.hasOwn(faults, name));
if (unknown.length > 0 || !Number.isSafeInteger(seed) || (values.write && quick) || isMisplaced) {
  process.stderr.write(
    `usage: npm run faults -- [NAME...] [--quick | --write] [--seed N] [--json]\n       npm run faults -- failover --only KIND [--only KIND...] [--quick] [--seed N] [--json]\n       npm run faults -- upgrade [--before FOLDER] [--quick | --write] [--seed N] [--json]\nfaults: ${Object.keys(faults).join(', ')}\n`,
  );
  process.exit(2);
}

await chooseOtherPostgres();
const run = describeRun({ seed });
say(`seed ${seed}`);
const rows: Row[] = [];
if (names.length > 1) await runEach();
else await runHere(names[0]!);
rows.sort((one, other) => faults[one.fault]!.number - faults[other.fault]!.number);
if (values.write) (await import('../tools/generate.ts')).writeGeneratedFiles();
if (!values.json) {
  console.table(rows.map(summaryOf));
  // Repeated at the end, because a long log is often cut.
  if (rows.length > 1) for (const row of rows) showFindings(row);
}
// A failed fault may have left timers or processes that would keep this process alive.
process.exit(rows.some((row) => 'findings' in row && row.findings.length > 0) ? 1 : 0);

/** Runs each fault in its own process, so that a failed one cannot affect the next. */
async function runEach(): Promise<void> {
  await runSideBySide<Timed>(quick ? longFirst(names) : names, {
    atOnce: atOnce[quick ? 'quick' : 'full'],
    arguments: [...(quick ? ['--quick'] : []), '--seed', String(seed)],
    say,
    onRow: take,
    rowWithout: (name, why) => ({
      seed,
      quick,
      seconds: 0,
      ...emptyReport(name),
      wrong: 1,
      findings: [`${name} ${why}`],
    }),
  });
}

async function runHere(name: string): Promise<void> {
  removeWhenBrokenOff();
  const startedAt = performance.now();
  say(`\n${name}: ${faults[name]!.title}`);
  const row = await runFault(name);
  removeWhatWasBegun();
  take({ seed, quick, seconds: Math.round((performance.now() - startedAt) / 1000), ...row });
}

function longFirst(names: string[]): string[] {
  return names.toSorted((one, other) => Number(faults[other]!.isLong ?? false) - Number(faults[one]!.isLong ?? false));
}

function take({ seed, quick, seconds, ...row }: Timed): void {
  rows.push(row);
  // Written after each fault, so that results are kept if a later one is interrupted.
  if (values.write) keepMeasured(resultsFile, titleOf(row.fault), run, measuredOf(row));
  if (values.json) process.stdout.write(`${JSON.stringify({ seed, quick, seconds, ...row })}\n`);
  else showDetails(row, seconds);
}

async function runFault(name: string): Promise<Row> {
  try {
    const fault = await faults[name]!.run();
    return await fault({ quick, seed, only: values.only, before: values.before, progress: (line) => say(`  ${line}`) });
  } catch (error) {
    if (error instanceof FaultSkipped) return { fault: name, skipped: error.message };
    return {
      ...emptyReport(name),
      wrong: 1,
      findings: [`${name} could not be carried out: ${(error as Error).stack}`],
    };
  }
}

/** Writes progress, which is not part of the result. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function showDetails(row: Row, seconds: number): void {
  if ('skipped' in row) {
    process.stdout.write(`${row.fault}: skipped, since ${row.skipped}\n`);
    return;
  }
  process.stdout.write(`${row.fault}: ${seconds} s\n`);
  if (row.figures) console.table(row.figures);
  showFindings(row);
}

function showFindings(row: Row): void {
  if ('skipped' in row) return;
  for (const finding of row.findings.slice(0, shownFindingsMax))
    process.stdout.write(`${row.fault}: finding: ${shorten(finding)}\n`);
  const more = row.findings.length - shownFindingsMax;
  if (more > 0) process.stdout.write(`${row.fault}: and ${more} more findings\n`);
}

function shorten(finding: string): string {
  const { beginning, end } = shownOfFinding;
  return finding.length <= beginning + end ? finding : `${finding.slice(0, beginning)} ... ${finding.slice(-end)}`;
}

function titleOf(name: string): string {
  return `${faults[name]!.number} ${name}`;
}

function summaryOf(row: Row): Record<string, number | string> {
  const fault = titleOf(row.fault);
  if ('skipped' in row) return { fault, seed, skipped: row.skipped };
  const {
    rounds,
    acknowledged,
    lost,
    duplicated,
    oversold,
    wrong,
    callbacksOwed,
    callbacksMissing,
    longestOutageMs,
    audit,
    findings,
  } = row;
  const callbacks = callbacksOwed === null ? '-' : `${callbacksOwed - (callbacksMissing ?? 0)}/${callbacksOwed}`;
  return {
    fault,
    rounds,
    acknowledged,
    lost,
    duplicated: duplicated ?? '-',
    oversold: oversold ?? '-',
    wrong,
    callbacks,
    audit,
    'longest outage, ms': longestOutageMs ?? '-',
    seed,
    findings: findings.length,
  };
}

function measuredOf(row: Row): MeasuredRow[] {
  const { title } = faults[row.fault]!;
  const figures = 'figures' in row && row.figures ? Object.entries(row.figures) : [];
  // The seed is a name, so it is written without thousands separators.
  return [
    { title: overview, figures: { ...summaryOf(row), seed: String(seed) } },
    ...figures.map(([what, seen]) => ({ title, figures: { what, seen } })),
  ];
}
