import { Option } from 'commander';
import { exportTables } from '../server/export/export-tables.ts';
import { bytesIn, CannotMove, rowsIn } from '../server/export/manifest.ts';
import { exitCodes, Failure } from './command-line.ts';
import { count } from './limit-option.ts';
import { makeProgress } from './progress.ts';
import { storeCommand } from './store-command.ts';

const rowsPerPartDefault = 500_000;

/** `lading export`: writes all tables into a folder, for another database. */
export function exportCommand() {
  return storeCommand(
    'export',
    'write all tables, as of one moment, into a new folder that "lading import" reads into another database',
    async (store, _config, folder: string, { rowsPerPart }: { rowsPerPart: number }) => {
      const manifest = await exportTables(store.owner, { folder, rowsPerPart, onProgress: makeProgress() }).catch(
        refuse,
      );
      const json = {
        folder,
        tables: manifest.tables.length,
        rows: rowsIn(manifest),
        bytes: bytesIn(manifest),
        master_key_ids: manifest.master_key_ids,
      };
      return {
        json,
        text:
          `${json.rows} rows of ${json.tables} tables exported to ${folder} (${json.bytes} bytes)\n` +
          (json.master_key_ids.length > 0
            ? `the secrets in it are sealed: the import needs master key ${json.master_key_ids.join(' and ')}`
            : 'there are no secrets in it'),
      };
    },
  )
    .argument('<folder>', 'the folder to create')
    .addOption(
      new Option('--rows-per-part <count>', 'begin a new file after about so many rows of a table')
        .argParser((text) => count(text, 1000, 100_000_000))
        .default(rowsPerPartDefault, String(rowsPerPartDefault)),
    )
    .addHelpText(
      'after',
      '\nRun it with the login of the owner (DATABASE_OWNER_URL). The service may run meanwhile; stop it first if nothing\nmay be missing in the other database.\n',
    );
}

/** An expected failure, for the operator. */
export function refuse(error: unknown): never {
  throw error instanceof CannotMove ? new Failure(exitCodes.refused, error.message) : error;
}
