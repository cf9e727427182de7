import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../server/config.ts';
import { dataDirOf } from '../server/open-store.ts';
import { exitCodes, Failure } from './command-line.ts';
import { readStatus } from './read-status.ts';
import { formatStatus } from './status-text.ts';
import { storeCommand } from './store-command.ts';

/** `lading status`: what runs and what needs attention, in ten lines. */
export function statusCommand() {
  return storeCommand(
    'status',
    'show what is running and what needs attention, in ten lines; exits with 1 if something is urgent',
    async (store, config) => {
      const status = await readStatus(store, config, new Date());
      if (status.state === 'urgent') process.exitCode = exitCodes.refused;
      return { json: status, text: formatStatus(status) };
    },
    // A look changes nothing: it creates no database, and applies no migrations.
    { migrations: 'refuse', check: refuseNoDatabase },
  );
}

function refuseNoDatabase(config: Config): void {
  const dataDir = dataDirOf(config);
  if (config.databaseUrl === null && !existsSync(join(dataDir, 'pg', 'PG_VERSION')))
    throw new Failure(exitCodes.cannotRun, `there is no database in ${dataDir} yet: "npm start" creates it`);
}
