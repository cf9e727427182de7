import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import {
  allowEverything,
  freePort,
  makeDataDir,
  provisioningFile,
  type Service,
  startProgram,
  stopService,
  waitUntilReady,
} from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { makeFuzzCaller } from './fuzz-caller.ts';
import { FuzzRun } from './fuzz-run.ts';
import { reportedTenant } from './hostile-bodies.ts';
import { runAudit } from './run-audit.ts';
import { turnWatchOptions } from './turn-watch.ts';

/**
 * Sends hostile requests of every kind over real sockets to a real process. Each must have a response as the contract
 * describes it. Refused requests must change nothing, accepted data must come back unchanged, and no request may keep
 * others waiting.
 */
export async function fuzz(options: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  allowEverything(dataDir);
  addTenants(dataDir);
  const turnsFile = makeTurnsFile(dataDir);
  const postgres = await openEmbeddedPostgres({ dataDir });
  const port = await freePort();
  const service = startService({ dataDir, port, turnsFile });
  const sql = connect(postgres.connection, 1);
  try {
    await waitUntilReady(service, 60);
    const caller = await makeFuzzCaller(port, options.quick);
    const run = new FuzzRun({ ...options, caller, sql, turnsFile });
    await run.sendEverything();
    caller.close();
    if (service.process.exitCode !== null) caller.findings.push(`the service exited:\n${service.output.text}`);
    await stopService(service);
    await run.compareStored();
    const audit = await runAudit({ DATA_DIR: dataDir });
    if (audit !== 'clean') caller.findings.push(`lading audit ${audit}`);
    return { ...run.report(), audit };
  } finally {
    await stopService(service);
    await sql.end({ timeout: 1 });
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** One whose receipts are reported, and one in another warehouse, so that stock can be moved there. */
function addTenants(dataDir: string): void {
  const file = join(dataDir, provisioningFile);
  const provisioning = JSON.parse(readFileSync(file, 'utf8'));
  provisioning.warehouses.push({ warehouse_no: 2 });
  provisioning.accounts[0].tenants.push(
    { warehouse_tpw_id: reportedTenant, warehouse_no: 1, store_no: 1, receiving: 'on_confirm' },
    { warehouse_tpw_id: 'ELSEWHERE', warehouse_no: 2, store_no: 1 },
  );
  writeFileSync(file, JSON.stringify(provisioning));
}

/** A service that root starts changes to another user, which must be able to write the file. */
function makeTurnsFile(dataDir: string): string {
  const file = join(dataDir, 'turns');
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  return file;
}

/** The service runs without a worker: it validates hostile callback addresses and never connects to them. */
function startService({ dataDir, port, turnsFile }: { dataDir: string; port: number; turnsFile: string }): Service {
  const args = ['cli/serve.ts', '--role', 'api', '--apply', join(dataDir, provisioningFile)];
  const env = {
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    NODE_OPTIONS: turnWatchOptions(turnsFile),
  };
  return startProgram(args, { dataDir, port, env });
}
