import type { Command } from 'commander';
import type { Config } from '../server/config.ts';
import type { ConnectionTarget } from '../server/platform/postgres/connection-target.ts';
import { connect } from '../server/platform/postgres/database.ts';
import { CannotDistribute, distribute } from '../server/platform/postgres/distribute.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import type { TableToPlace } from '../server/platform/postgres/table-placement.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { printResult } from './store-command.ts';
import { formatTable } from './table.ts';

/** `lading distribute`: spreads the documents of the accounts over the servers of Citus. */
export function distributeCommand() {
  return makeCommand('distribute')
    .description(
      'distribute the tables over the servers of Citus, by account; a second run continues where the first one stopped',
    )
    .option('--dry-run', 'list the tables and change nothing')
    .addHelpText('after', '\nRun it with the login of the owner, after "lading migrate", while no node is running.\n')
    .action(async ({ dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const owner = ownerOf(configOrFail());
      await refusePending(owner);
      const onProgress = (line: string) => process.stderr.write(`${line}\n`);
      const sql = connect(owner, 1);
      try {
        printResult(answerOf(await distribute(sql, { isDryRun: dryRun, onProgress }), dryRun), command);
      } catch (error) {
        throw error instanceof CannotDistribute ? new Failure(exitCodes.refused, error.message) : error;
      } finally {
        await sql.end();
      }
    });
}

function ownerOf({ databaseUrl, databaseOwnerUrl }: Config): ConnectionTarget {
  const owner = databaseOwnerUrl ?? databaseUrl;
  if (owner === null)
    throw new Failure(
      exitCodes.refused,
      'the embedded PostgreSQL does not have Citus; set DATABASE_URL to the coordinator of a Citus cluster',
    );
  return owner;
}

async function refusePending(owner: ConnectionTarget): Promise<void> {
  const outcome = await migrate(owner, { apply: false });
  if (outcome.kind === 'pending')
    throw new Failure(
      exitCodes.refused,
      `the database lacks migrations: ${outcome.pending.join(', ')}; run "lading migrate"`,
    );
  if (outcome.kind === 'newer')
    throw new Failure(
      exitCodes.refused,
      `a newer version of Lading has migrated the database (${outcome.unknown.join(', ')}); run "lading distribute" of that version`,
    );
  if (outcome.kind === 'refused') throw new Failure(exitCodes.refused, outcome.mistakes.join('\n'));
}

function answerOf(tables: TableToPlace[], isDryRun: boolean) {
  const left = tables.filter(({ isPlaced }) => !isPlaced);
  const json = {
    dry_run: isDryRun,
    placed_now: isDryRun ? 0 : left.length,
    tables: tables.map(({ name, placement, isPlaced }) => ({ table: name, placement, was_placed: isPlaced })),
  };
  return { json, text: isDryRun ? formatTable(json.tables, '') : summaryOf(left.length, tables.length) };
}

function summaryOf(placed: number, all: number): string {
  return placed === 0
    ? `nothing is left to do: all ${all} tables of the accounts are placed`
    : `${placed} of ${all} tables placed; all others stay on the coordinator`;
}
