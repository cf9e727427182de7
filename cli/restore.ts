import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { formatMessage } from '../messages/format-message.ts';
import type { Config } from '../server/config.ts';
import { describeAudited } from '../server/domain/audit/audit-stock.ts';
import { describeFinding } from '../server/domain/audit/finding.ts';
import {
  chooseBackup,
  openMasterKeys,
  previousKeysFile,
  type Restored,
  restoreBackup,
} from '../server/domain/backup/restore-backup.ts';
import { taipeiInstant } from '../server/platform/clock.ts';
import { parseMoment } from '../server/platform/postgres/backup/moment.ts';
import type { RecoveryTarget } from '../server/platform/postgres/backup/recover-cluster.ts';
import type { Backup } from '../server/platform/postgres/backup/take-backup.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { type PassphraseOptions, passphraseForRestore } from './passphrase.ts';
import { makeProgress } from './progress.ts';
import { printResult } from './store-command.ts';

interface Options extends PassphraseOptions {
  dataDir?: string;
  to?: RecoveryTarget;
  wal?: string;
}

/** `lading restore`: a backup becomes a data folder of the embedded PostgreSQL. */
export function restoreCommand(): Command {
  return makeCommand('restore')
    .description('restore a backup of the embedded PostgreSQL into an empty folder, and audit it')
    .argument('<backup>', 'a backup, or a folder of backups: then the newest one that fits')
    .option('--data-dir <folder>', 'the new data folder, which must be empty (default: DATA_DIR)')
    .option(
      '--to <time>',
      "the moment to restore, such as 2026-11-18T12:00:00+08:00 or '2026-11-18 12:00:00' (Asia/Taipei), or 'latest': the end of the archive (default: the end of the backup)",
      parseTarget,
    )
    .option('--wal <folder>', 'the archive of the write-ahead log (default: the folder wal beside the backup)')
    .option('--passphrase-file <file>', 'file with the passphrase of the master key')
    .option('--without-master-key', 'do not restore the master key; the service then needs MASTER_KEY')
    .action(async (path: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const config = configOrFail();
      const dataDir = options.dataDir ?? config.dataDir;
      if (!dataDir) throw new Failure(exitCodes.wrongUsage, 'name the new data folder with --data-dir');
      const target = options.to ?? { kind: 'backup' };
      const backup = await chooseBackup(path, target);
      const masterKeys = await masterKeysFor(backup, options, config);
      const archive = options.wal ?? null;
      const onProgress = makeProgress();
      const restored = await restoreBackup({ backup, target, archive, dataDir, masterKeys, onProgress });
      if (restored.audit.findings.length > 0 || restored.missingKeys.length > 0) process.exitCode = exitCodes.refused;
      const answer = { backup, dataDir: resolve(dataDir), masterKeys, restored };
      printResult({ json: answerOf(answer), text: format(answer) }, command);
    });
}

function parseTarget(given: string): RecoveryTarget {
  if (given === 'latest') return { kind: 'latest' };
  const moment = parseMoment(given);
  if (!moment) throw new InvalidArgumentError("It must be a time such as 2026-11-18T12:00:00+08:00, or 'latest'.");
  return { kind: 'moment', moment };
}

async function masterKeysFor(backup: Backup, options: Options, config: Config): Promise<Buffer[] | null> {
  if (options.withoutMasterKey || backup.manifest.master_key.kind === 'excluded') return null;
  const keys = await openMasterKeys(backup, await passphraseForRestore(options, config));
  if (!keys) throw new Failure(exitCodes.refused, 'the passphrase is wrong; nothing was restored');
  return keys;
}

interface Answer {
  backup: Backup;
  dataDir: string;
  masterKeys: Buffer[] | null;
  restored: Restored;
}

function answerOf({ backup, dataDir, masterKeys, restored }: Answer) {
  const { audit, documents, lastTransactionAt, timeline } = restored;
  return {
    data_dir: dataDir,
    backup: backup.manifest.name,
    last_transaction_at: lastTransactionAt && taipeiInstant(lastTransactionAt),
    timeline,
    orders: documents.orders,
    inbounds: documents.inbounds,
    master_key: masterKeys === null ? 'not restored' : 'restored',
    missing_master_keys: restored.missingKeys,
    clean: audit.findings.length === 0,
    findings: audit.findings,
  };
}

function format({ backup, dataDir, masterKeys, restored }: Answer): string {
  const { audit, documents, lastTransactionAt, timeline } = restored;
  const { name, master_key } = backup.manifest;
  const { findings } = audit;
  const audited = formatMessage(describeAudited(audit));
  const last = lastTransactionAt === null ? 'none was replayed' : taipeiInstant(lastTransactionAt);
  const previous =
    (masterKeys?.length ?? 0) > 1
      ? [`the previous master keys are in ${join(dataDir, previousKeysFile)}: give them as MASTER_KEY_PREVIOUS_FILE`]
      : [];
  return [
    `restored backup ${name} to ${dataDir}, on timeline ${timeline}`,
    `last transaction: ${last}; ${documents.orders} orders and ${documents.inbounds} inbound documents`,
    findings.length === 0
      ? `audit: ${audited}: the books match`
      : `audit: ${findings.length} findings in ${audited}:\n${findings.map((one) => `  ${formatMessage(describeFinding(one))}`).join('\n')}`,
    masterKeys === null
      ? `the master key was not restored: give the key ${master_key.key_id} as MASTER_KEY`
      : `master key ${master_key.key_id}: restored`,
    ...previous,
    ...restored.missingKeys.map(
      (keyId) => `the secrets need master key ${keyId}, which came after this backup: give it as MASTER_KEY`,
    ),
    `start it with: DATA_DIR=${dataDir} npm start`,
  ].join('\n');
}
