import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poolerMessage } from '../server/platform/postgres/detect-pooler.ts';
import { databaseUserFor, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { freePort, makeDataDir, onInterrupt, type Service, startProgram } from './child-process.ts';
import { type DebianProgram, provideDebianProgram } from './debian-programs.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { extendForQuickRun, until } from './patience.ts';

const everyStartParameter =
  'ignore_startup_parameters = extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout,plan_cache_mode,' +
  'default_transaction_read_only,enable_seqscan';

/** Pooler configurations: transaction pooling, and settings of the service that are rejected or ignored. */
const poolers: Record<string, string> = {
  'transaction mode': 'pool_mode = transaction',
  'transaction mode that ignores settings': `pool_mode = transaction\n${everyStartParameter}`,
  'session mode that ignores settings': `pool_mode = session\n${everyStartParameter}`,
};
const endsWithinMs = 30_000;
const cannotRunExitCode = 3;

/**
 * Runs PgBouncer between the service and PostgreSQL. The service and every command must report it at once instead of
 * waiting for a lock that they can never get.
 */
export async function pooler({ quick, progress }: FaultOptions): Promise<FaultReport> {
  const findings: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'lading-pooler-'));
  const forget = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711);
  const dataDir = makeDataDir();
  const postgres = await openEmbeddedPostgres({ dataDir });
  try {
    const program = await provideDebianProgram('pgbouncer', 'usr/sbin/pgbouncer', folder);
    for (const [name, settings] of Object.entries(poolers)) {
      progress(name);
      for (const words of [['cli/serve.ts'], ['cli/lading.ts', 'migrate'], ['cli/lading.ts', 'account', 'list']]) {
        const said = await runThroughPooler({
          program,
          folder,
          dataDir,
          settings,
          words,
          connection: postgres.connection,
          quick,
        });
        if (said !== null) findings.push(`wrong: ${name}: ${words.join(' ')} ${said}`);
      }
    }
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
    forget();
  }
  return { ...emptyReport('pooler'), rounds: Object.keys(poolers).length, wrong: findings.length, findings };
}

interface PooledRun {
  program: DebianProgram;
  folder: string;
  dataDir: string;
  settings: string;
  words: string[];
  connection: EmbeddedPostgres['connection'];
  quick: boolean;
}

/** null if it ended as expected. */
async function runThroughPooler({
  program,
  folder,
  dataDir,
  settings,
  words,
  connection,
  quick,
}: PooledRun): Promise<string | null> {
  const port = await freePort();
  const stop = await startPgBouncer(program, folder, port, settings, connection, quick);
  const env = {
    DATABASE_URL: `postgres://lading@127.0.0.1:${port}/lading`,
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const service = startProgram(words, { dataDir, port: await freePort(), env });
  try {
    await until(() => isOver(service), {
      withinMs: extendForQuickRun(endsWithinMs, quick),
      what: `the end of ${words.join(' ')}`,
    });
  } catch (error) {
    return `does not end: ${(error as Error).message}; it said: ${service.output.text}`;
  } finally {
    service.process.kill('SIGKILL');
    stop();
  }
  const { exitCode } = service.process;
  const isRefused = exitCode === cannotRunExitCode && service.output.text.includes(poolerMessage);
  return isRefused ? null : `ended with ${exitCode} and said: ${service.output.text}`;
}

function isOver({ process }: Service): boolean {
  return process.exitCode !== null || process.signalCode !== null;
}

async function startPgBouncer(
  { path, env }: DebianProgram,
  folder: string,
  port: number,
  settings: string,
  { host, port: databasePort, username, password, database }: PooledRun['connection'],
  quick: boolean,
): Promise<() => void> {
  const file = join(folder, `${port}.ini`);
  const behind = `host=${host} port=${databasePort} dbname=${database} user=${username} password=${password}`;
  const own = ['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', settings];
  writeFileSync(file, ['[databases]', `lading = ${behind}`, '[pgbouncer]', ...own, ''].join('\n'), { mode: 0o600 });
  const user = databaseUserFor(folder);
  if (runsAsRoot()) chownSync(file, user.uid, user.gid);
  const child = spawn(path, [file], { cwd: '/', env, stdio: 'ignore', ...user.spawnAs });
  const forget = onInterrupt(() => child.kill('SIGKILL'));
  await until(() => isListening(port), { withinMs: extendForQuickRun(endsWithinMs, quick), what: 'PgBouncer' });
  return () => {
    child.kill('SIGKILL');
    forget();
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}
