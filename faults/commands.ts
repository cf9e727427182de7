import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { makeRunHere } from '../test/cli/run-here.ts';
import { faultAccount, makeDataDir, provisioningFile } from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { faultOf, makeHostileCommands } from './hostile-commands.ts';
import { makeRandom } from './random.ts';

const runs = { quick: 60, full: 1000 };

/** Runs hostile provisioning files and command lines: each succeeds, or reports its error and changes nothing. */
export async function commands({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir();
  const folder = mkdtempSync(join(tmpdir(), 'lading-hostile-'));
  const here = makeRunHere({ DATA_DIR: dataDir, PUBLIC_URL: 'http://127.0.0.1:9' });
  const embedded = await openEmbeddedPostgres({ dataDir });
  const sql = connect(embedded.connection, 1);
  const startedIn = process.cwd();
  try {
    // Some commands write into a folder of any name.
    process.chdir(folder);
    const begun = await here.run(['apply', join(dataDir, provisioningFile)]);
    if (begun.code !== 0)
      throw new Error(`the account ${faultAccount.accountNo} could not be created: ${begun.stderr}`);
    return await runAll({ here, sql, folder, seed, count: runs[quick ? 'quick' : 'full'], progress });
  } finally {
    process.chdir(startedIn);
    await sql.end();
    await embedded.close();
    for (const made of [dataDir, folder]) rmSync(made, { recursive: true, force: true });
  }
}

interface Run {
  here: ReturnType<typeof makeRunHere>;
  sql: Sql;
  folder: string;
  seed: number;
  /** Number of provisioning files, and number of commands. */
  count: number;
  progress(line: string): void;
}

async function runAll({ here, sql, folder, seed, count, progress }: Run): Promise<FaultReport> {
  const hostile = await makeHostileCommands(makeRandom(seed), seed, folder);
  const findings: string[] = [];
  const ends = new Map<number, number>();
  for (let run = 0; run < 2 * count; run++) {
    if (run > 0 && run % 500 === 0) progress(`${run} of ${2 * count}`);
    const isFile = run % 2 === 0;
    const args = isFile ? hostile.apply() : hostile.command();
    const before = isFile ? await changesSoFar(sql) : '';
    const result = await here.run(args);
    const code = result.code ?? -1;
    ends.set(code, (ends.get(code) ?? 0) + 1);
    const fault = faultOf(args, result);
    if (fault !== null) findings.push(`run ${run}, lading ${JSON.stringify(args).slice(0, 300)}: ${fault}`);
    if (isFile && code !== 0 && (await changesSoFar(sql)) !== before)
      findings.push(`run ${run}: a refused file has changed something`);
  }
  const figures = { ends: [...ends].map(([code, times]) => `${code}: ${times}`).join(', ') };
  return {
    ...emptyReport('commands'),
    rounds: 2 * count,
    acknowledged: ends.get(0) ?? 0,
    wrong: findings.length,
    figures,
    findings,
  };
}

async function changesSoFar(sql: Sql): Promise<string> {
  const [row] =
    await sql`select (select count(*) from partner_change) || ' ' || (select max(secret_id) from secret) as state`;
  return row!.state;
}
