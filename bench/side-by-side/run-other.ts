import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  makeDataDir,
  onInterrupt,
  postgresPid,
  root,
  type Service,
  stopService,
} from '../../faults/child-process.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';

const database = 'shop';
/** Connections of a service to its PostgreSQL, which allows 100. */
const poolSize = 32;

/** A PostgreSQL that runs like that of Lading, with the same settings, and an empty database for another product. */
export interface OtherDatabase {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  poolSize: number;
  /** A folder that is removed with the database. */
  folder: string;
  postmaster: number;
  sql: Sql;
}

export async function openOtherDatabase(cleanup: AsyncDisposableStack): Promise<OtherDatabase> {
  const folder = makeDataDir();
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir: folder });
  cleanup.defer(() => postgres.close());
  const owner = connect(postgres.connection, 1);
  await owner.unsafe(`create database ${database}`);
  await owner.end();
  const target = { ...postgres.connection, database };
  const sql = connect(target, 1);
  cleanup.defer(() => sql.end({ timeout: 5 }));
  return { ...target, poolSize, folder, postmaster: postgresPid(folder)!, sql };
}

export interface OtherProgram {
  /** The folder in which the product is installed. */
  place: string;
  args: string[];
  env: Record<string, string>;
}

/** Starts a service of another product, and ends it in any case: it may not end when it is asked to. */
export async function startOther(
  program: OtherProgram,
  database: OtherDatabase,
  cleanup: AsyncDisposableStack,
): Promise<Service> {
  const port = await freePort();
  const service = spawnOther(program, database, port);
  cleanup.defer(() => stopService(service, 'SIGKILL'));
  return service;
}

/** Runs a command of another product to its end. */
export async function runOther(program: OtherProgram, database: OtherDatabase): Promise<void> {
  const { process, output } = spawnOther(program, database, await freePort());
  const [code] = (await once(process, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program.args[1]} ended with ${code}:\n${output.text}`);
}

/** With the Node.js of Lading, in production mode and without telemetry. */
function spawnOther({ place, args, env }: OtherProgram, { folder }: OtherDatabase, port: number): Service {
  const child = spawn(join(root, 'bin/node'), args, {
    cwd: place,
    env: { ...environmentIn(folder), PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once(
    'exit',
    onInterrupt(() => void child.kill('SIGKILL')),
  );
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text = (output.text + text).slice(-20_000);
    });
  }
  return { url: `http://127.0.0.1:${port}`, process: child, output };
}

function environmentIn(folder: string): Record<string, string> {
  // Settings that a product keeps for its user belong to this run only.
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    NODE_ENV: 'production',
    VENDURE_DISABLE_TELEMETRY: 'true',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DO_NOT_TRACK: '1',
  };
}
