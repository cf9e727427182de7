import type { Command } from 'commander';
import type { Config } from '../server/config.ts';
import { openStore, type Store } from '../server/open-store.ts';
import { configOrFail, makeCommand } from './command-line.ts';

/** The result of a command: an object for `--json`, and the same as text. */
export interface CommandResult {
  json: unknown;
  text: string;
}

const poolOfCommand = 2;

/** A command that works directly on the database, whether or not a server is running. */
export function storeCommand<Args extends unknown[]>(
  name: string,
  description: string,
  work: (store: Store, config: Config, ...args: Args) => Promise<CommandResult>,
): Command {
  return makeCommand(name)
    .description(description)
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const config = configOrFail();
      const store = await openStore(
        { ...config, databasePool: poolOfCommand },
        { migrations: 'if_embedded', deadlineSeconds: null, onProgress: (line) => process.stderr.write(`${line}\n`) },
      );
      try {
        const answer = await work(store, config, ...(given.slice(0, -1) as Args));
        printResult(answer, command);
      } finally {
        await store.close();
      }
    });
}

export function printResult({ json, text }: CommandResult, command: Command): void {
  const asJson = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
  process.stdout.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : text.endsWith('\n') ? text : `${text}\n`);
}

/** Formats rows as a table; an empty list prints `whenEmpty`, which says what to do next. */
export function formatTable(rows: Record<string, unknown>[], whenEmpty: string): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
