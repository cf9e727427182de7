import type { Command } from 'commander';
import type { Config } from '../server/config.ts';
import { openStore, type Store, type StoreOptions } from '../server/open-store.ts';
import { configOrFail, makeCommand } from './command-line.ts';

/** The result of a command: an object for `--json`, and the same as text. */
export interface CommandResult {
  json: unknown;
  text: string;
}

const poolOfCommand = 2;

interface Opening {
  migrations?: StoreOptions['migrations'];
  /** Fails if the database must not be opened. Opening an embedded database creates it if there is none. */
  check?: (config: Config) => void;
}

/** A command that works directly on the database, whether or not a server is running. */
export function storeCommand<Args extends unknown[]>(
  name: string,
  description: string,
  work: (store: Store, config: Config, ...args: Args) => Promise<CommandResult>,
  { migrations = 'if_embedded', check = () => {} }: Opening = {},
): Command {
  return makeCommand(name)
    .description(description)
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const config = configOrFail();
      check(config);
      const store = await openStore(
        { ...config, databasePool: poolOfCommand },
        { migrations, deadlineSeconds: null, onProgress: (line) => process.stderr.write(`${line}\n`) },
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
