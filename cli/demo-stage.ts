import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '../server/config.ts';
import type { IssuedSecret } from '../server/domain/partners/apply-outcome.ts';
import type { Provisioning } from '../server/domain/partners/provisioning.ts';
import { databaseUserFor, folderThatBlocks, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { exitCodes, Failure } from './command-line.ts';

/** A temporary service with its own database, for the duration of a demo. */
export interface DemoService {
  url: string;
  /** Returns a secret that was generated for one of the partners. */
  secretOf(kind: IssuedSecret['kind'], owner: string): string;
  /** Runs `lading ...` against the same database. */
  run(args: string[]): Promise<{ exitCode: number | null; output: string }>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const stopWithinSeconds = 20;
const outputTail = 4000;

/** Runs the service during `work`. Afterwards, even after a failure, all of its processes and files are removed. */
export async function withDemoService(
  provisioning: Provisioning,
  interrupted: Promise<never>,
  work: (service: DemoService) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(folderForAll(), 'lading-demo-'));
  const children: ChildProcess[] = [];

  function start(args: string[]): ChildProcess {
    // The child runs in its own process group, so that Ctrl-C only reaches us and we can stop it gracefully.
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environmentIn(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    children.push(child);
    return child;
  }

  async function serveAndWork(): Promise<void> {
    const file = join(folder, 'provisioning.json');
    writeFileSync(file, JSON.stringify(provisioning));
    const { url, secrets } = await ready(start(['cli/serve.ts', '--apply', file, '--json']));
    await work({
      url,
      secretOf: (kind, owner) => secrets.find((one) => one.kind === kind && one.owner === owner)!.value,
      run: (args) => runToEnd(start(['cli/lading.ts', ...args])),
    });
  }

  try {
    await Promise.race([serveAndWork(), interrupted]);
  } finally {
    for (const child of children.toReversed()) await stop(child);
    await stopDatabaseLeftBehind(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Excludes the caller's DATABASE_URL and DATA_DIR, so that the demo cannot touch existing data. */
function environmentIn(folder: string): Record<string, string> {
  return {
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    DRAIN_S: '0',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: getCompileCacheDir() ?? '',
    NODE_OPTIONS: nodeOptions(),
  };
}

/** When started as root, the database runs as another user, who needs access to the folder. */
function folderForAll(): string {
  if (!runsAsRoot()) return tmpdir();
  const isReachable = (folder: string) => {
    const inside = join(folder, 'lading-demo');
    return existsSync(folder) && folderThatBlocks(inside, databaseUserFor(join(inside, 'pg'))) === undefined;
  };
  return [tmpdir(), '/tmp', '/var/tmp', '/var/lib'].find(isReachable) ?? tmpdir();
}

async function ready(child: ChildProcess): Promise<{ url: string; secrets: IssuedSecret[] }> {
  const complaints = collect(child.stderr!);
  let secrets: IssuedSecret[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    const said = JSON.parse(line) as { secrets?: IssuedSecret[]; ready?: string };
    secrets = said.secrets ?? secrets;
    if (said.ready) return { url: said.ready, secrets };
  }
  throw new Failure(
    exitCodes.cannotRun,
    'the demo service did not start:',
    complaints.text.split('\n').filter(Boolean),
  );
}

function collect(stream: NodeJS.ReadableStream): { text: string } {
  const collected = { text: '' };
  stream.setEncoding('utf8').on('data', (text: string) => {
    collected.text = (collected.text + text).slice(-outputTail);
  });
  return collected;
}

async function runToEnd(child: ChildProcess): Promise<{ exitCode: number | null; output: string }> {
  const [output, complaints] = [collect(child.stdout!), collect(child.stderr!)];
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output: output.text + complaints.text };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const isLate = await Promise.race([ended.then(() => false), sleep(stopWithinSeconds * 1000, true, { ref: false })]);
  if (isLate) child.kill('SIGKILL');
  await ended;
}

/** Stops the database of a service that was killed: the last process that disconnects from a database stops it. */
async function stopDatabaseLeftBehind(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'pg', 'postmaster.pid'))) return;
  const database = await openEmbeddedPostgres({ dataDir: folder });
  await database.close();
}
