import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { quantile } from './figures.ts';
import type { Rate } from './turns.ts';

const packagedFolder = '/usr/lib/postgresql';
const threads = 2;
/** The best settings for lookups by key; by default, PostgreSQL would scan small tables sequentially. */
const keyPlans = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

export type PgbenchResult = Rate & { committed: number };

/**
 * Runs a script with a number of clients without pauses, using prepared statements with generic plans over the unix
 * socket. The script may use the variable `count` as a counter, and `run`, which is different in each run.
 */
export interface Pgbench {
  version: string;
  run(script: string, options: { clients: number; seconds: number; seed: number }): Promise<PgbenchResult>;
}

/** null if it is not installed. */
export async function findPgbench(connection: EmbeddedPostgres['connection']): Promise<Pgbench | null> {
  const program = programPath();
  if (program === null) return null;
  const { host, port, username, password, database } = connection;
  const env = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGOPTIONS: keyPlans,
    LC_ALL: 'C',
  };
  const version = await output(program, ['--version'], env);
  let runs = 0;

  return {
    version: version.trim(),
    async run(script, { clients, seconds, seed }) {
      const folder = mkdtempSync(join(tmpdir(), 'lading-pgbench-'));
      try {
        const file = join(folder, 'script.sql');
        writeFileSync(file, script);
        const amount = [
          `--client=${clients}`,
          `--jobs=${Math.min(threads, clients)}`,
          `--time=${Math.max(1, Math.round(seconds))}`,
        ];
        const variables = [`--define=run=${++runs}`, '--define=count=0'];
        // Logging each transaction has a small cost, but with one client the latency is what we want to know.
        const log = clients === 1 ? ['--log', `--log-prefix=${join(folder, 'log')}`] : [];
        const report = await output(
          program,
          [
            '--no-vacuum',
            '--protocol=prepared',
            `--random-seed=${seed}`,
            ...variables,
            ...amount,
            ...log,
            `--file=${file}`,
          ],
          env,
        );
        return { ...readReport(report), ...readLatencies(folder) };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Searches the PATH and the folders of Debian's packages, and returns the newest version. */
function programPath(): string | null {
  const packaged = existsSync(packagedFolder)
    ? readdirSync(packagedFolder).sort((one, other) => Number(other) - Number(one))
    : [];
  const folders = [
    ...packaged.map((version) => join(packagedFolder, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null;
}

async function output(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`pgbench ended with ${code}: ${said.stderr.slice(-1000)}`);
  return said.stdout;
}

/** Reads the latencies from the transaction log, if there is one; the third column is in microseconds. */
function readLatencies(folder: string): Pick<Rate, 'p50Ms' | 'p99Ms'> {
  const logs = readdirSync(folder).filter((name) => name.startsWith('log'));
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const latenciesMs = Float64Array.from(lines, (line) => Number(line.split(' ')[2]) / 1000).sort();
  return { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) };
}

function readReport(report: string): Omit<PgbenchResult, 'p50Ms' | 'p99Ms'> {
  const committed = /transactions actually processed: (\d+)/.exec(report);
  // Missing if the time ended before all clients were connected.
  const perSecond = /tps = ([\d.]+) \(without initial connection time\)/.exec(report);
  if (!committed) throw new Error(`pgbench reports something else than expected:\n${report}`);
  return { committed: Number(committed[1]), perSecond: Number(perSecond?.[1] ?? 0) };
}
