import type { Command } from 'commander';
import { configOrFail, makeCommand } from '../server/command-line.ts';
import { openStore } from '../server/open-store.ts';
import { printAnswer } from './store-command.ts';

/** `lading migrate`: brings the database up to this version, without serving. */
export function migrateCommand() {
  return makeCommand('migrate')
    .description('apply the pending migrations')
    .action(async (_options: unknown, command: Command) => {
      const lines: string[] = [];
      const onProgress = (line: string) => {
        lines.push(line);
        process.stderr.write(`${line}\n`);
      };
      const store = await openStore(configOrFail(), { migrations: 'apply', deadlineSeconds: null, onProgress });
      await store.close();
      printAnswer({ json: { up_to_date: true, progress: lines }, words: 'the database is up to date' }, command);
    });
}
