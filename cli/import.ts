import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../server/config.ts';
import { recordAudit } from '../server/domain/audit/audit-queries.ts';
import { auditStock } from '../server/domain/audit/audit-stock.ts';
import { findUnreadable } from '../server/domain/master-key/reseal-secrets.ts';
import { importTables } from '../server/export/import-tables.ts';
import { CannotMove, type Manifest, readManifest, rowsIn } from '../server/export/manifest.ts';
import { masterKeyFile, openStore, readMasterKey, type Store } from '../server/open-store.ts';
import { makeKeyring } from '../server/platform/keyring.ts';
import { defaultDataDir } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { refuse } from './export.ts';
import { makeProgress } from './progress.ts';
import { type CommandResult, printResult } from './store-command.ts';

/** `lading import`: reads the folder of an export into an empty database. */
export function importCommand() {
  return makeCommand('import')
    .description(
      'read the folder of "lading export" into an empty database; a second run continues where the first one stopped',
    )
    .argument('<folder>', 'the folder of the export')
    .addHelpText(
      'after',
      '\nRun it with the login of the owner (DATABASE_OWNER_URL) and the master key of the export. No node may run meanwhile.\n',
    )
    .action(async (folder: string, _options: object, command: Command) => {
      const config = configOrFail();
      const manifest = await readManifest(folder).catch(refuse);
      refuseOtherMasterKey(config, manifest);
      const store = await openStore(
        { ...config, databasePool: 1 },
        {
          migrations: 'apply',
          deadlineSeconds: null,
          isImporting: true,
          onProgress: (line) => process.stderr.write(`${line}\n`),
        },
      );
      try {
        printResult(await importAndAudit(store, folder, manifest), command);
      } finally {
        await store.close();
      }
    });
}

/** Checked before anything is created, also the database and the key of a new data folder. */
function refuseOtherMasterKey(config: Config, { master_key_ids: needed }: Manifest): void {
  if (needed.length === 0) return;
  const path = masterKeyFile(resolve(config.dataDir ?? defaultDataDir(process.cwd())));
  const isFile = config.masterKey === null;
  if (isFile && !existsSync(path))
    throw new Failure(
      exitCodes.refused,
      `the secrets of the export are protected by master key ${needed.join(' and ')}: put its master.key at ${path}, or give the key as MASTER_KEY`,
    );
  const held = makeKeyring(config.masterKey ?? readMasterKey(path), config.masterKeysPrevious);
  const missing = needed.filter((keyId) => !held.canOpen(keyId));
  if (missing.length === 0) return;
  throw new Failure(
    exitCodes.refused,
    `the secrets of the export are protected by master key ${missing.join(' and ')}, but ` +
      `${isFile ? `${path} holds` : 'MASTER_KEY is'} ${held.currentKeyId}; nothing was changed`,
  );
}

async function importAndAudit(store: Store, folder: string, manifest: Manifest): Promise<CommandResult> {
  const onProgress = makeProgress();
  const verifySecrets = async () => {
    const unreadable = await findUnreadable(store.database, store.keyring);
    if (unreadable.length > 0)
      throw new CannotMove(`the master key does not open these secrets: ${unreadable.join(', ')}`);
  };
  const parts = await importTables(store.owner, { folder, manifest, verifySecrets, onProgress }).catch(refuse);
  const { lots, orders, findings } = await auditStock(store.database, onProgress);
  await store.database.transaction(noAccounts, (tx) => recordAudit(tx, { lots, orders, findings: findings.length }));
  if (findings.length > 0) process.exitCode = exitCodes.refused;

  const json = {
    tables: manifest.tables.length,
    rows: rowsIn(manifest),
    parts_imported: parts.imported,
    parts_imported_earlier: parts.earlier,
    audit_findings: findings.length,
  };
  const audited =
    findings.length === 0
      ? 'the books match'
      : `the audit has ${findings.length} findings, as in the exported database: run "lading audit"`;
  return { json, text: `${json.rows} rows of ${json.tables} tables imported and compared; ${audited}` };
}
