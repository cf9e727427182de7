import type { Command } from 'commander';
import { openStore } from '../server/open-store.ts';
import { configOrFail, makeCommand } from './command-line.ts';
import { printResult } from './store-command.ts';

/** `lading migrate`: migrates the database to this version without starting the service. */
export function migrateCommand() {
  return makeCommand('migrate')
    .description('apply pending database migrations')
    .action(async (_options: unknown, command: Command) => {
      const lines: string[] = [];
      const onProgress = (line: string) => {
        lines.push(line);
        process.stderr.write(`${line}\n`);
      };
      const store = await openStore(configOrFail(), { migrations: 'apply', deadlineSeconds: null, onProgress });
      await store.close();
      printResult({ json: { up_to_date: true, progress: lines }, text: 'the database is up to date' }, command);
    });
}
