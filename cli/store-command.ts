import type { Command } from 'commander';
import { configOrFail, makeCommand } from '../server/command-line.ts';
import type { Config } from '../server/config.ts';
import { openStore, type Store } from '../server/open-store.ts';

/** A command's answer: an object for `--json`, and the same in words. */
export interface CommandAnswer {
  json: unknown;
  words: string;
}

const poolOfCommand = 2;

/** A command that works on the database: beside a running server, or without one. */
export function storeCommand<Args extends unknown[]>(
  name: string,
  description: string,
  work: (store: Store, config: Config, ...args: Args) => Promise<CommandAnswer>,
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
        printAnswer(answer, command);
      } finally {
        await store.close();
      }
    });
}

export function printAnswer({ json, words }: CommandAnswer, command: Command): void {
  const asJson = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
  process.stdout.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : words.endsWith('\n') ? words : `${words}\n`);
}

/** Rows as a table for people; an empty list says what to do next. */
export function wordTable(rows: Record<string, unknown>[], whenEmpty: string): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((column) => wordCell(row[column])))];
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

function wordCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
