import { resolve } from 'node:path';
import type { Config } from '../server/config.ts';
import { type MadeBackup, makeBackup } from '../server/domain/backup/make-backup.ts';
import type { Store } from '../server/open-store.ts';
import { inMebibytes } from '../server/platform/postgres/backup/copy-files.ts';
import { version } from '../server/version.ts';
import { exitCodes, Failure } from './command-line.ts';
import { formatTime } from './look.ts';
import { type PassphraseOptions, passphraseForBackup } from './passphrase.ts';
import { makeProgress } from './progress.ts';
import { storeCommand } from './store-command.ts';

type Options = PassphraseOptions & { verify: boolean };

/** `lading backup`: an online backup of the embedded PostgreSQL that is proven to start. */
export function backupCommand() {
  return storeCommand(
    'backup',
    'back up the embedded PostgreSQL while it runs, then start a copy of the backup and audit it',
    async (store: Store, config: Config, folder: string | undefined, options: Options) => {
      if (store.dataDir === null)
        throw new Failure(
          exitCodes.wrongUsage,
          'this command is for the embedded PostgreSQL; with DATABASE_URL, use pgBackRest as described in docs/backup.md',
        );
      const parent = folder ?? config.backupDir;
      if (!parent) throw new Failure(exitCodes.wrongUsage, 'name the folder for the backup, or set BACKUP_DIR');
      const passphrase = await passphraseForBackup(options, config);
      const made = await makeBackup({
        dataDir: store.dataDir,
        parent: resolve(parent),
        keep: config.backupDir && resolve(parent) === config.backupDir ? config.backupKeep : null,
        masterKeys: [store.masterKey, ...config.masterKeysPrevious],
        passphrase,
        isToVerify: options.verify,
        ladingVersion: version,
        onProgress: makeProgress(),
      });
      if (made.verification.state === 'failed') process.exitCode = exitCodes.refused;
      return { json: answerOf(made), text: format(made) };
    },
  )
    .argument('[folder]', 'the folder in which the backup becomes a new folder (default: BACKUP_DIR)')
    .option('--passphrase-file <file>', 'file with the passphrase that seals the master key')
    .option('--without-master-key', 'leave the master key out of the backup')
    .option('--no-verify', 'do not start a copy of the backup; it is recorded as not verified');
}

function answerOf({ folder, manifest, verification, removed }: MadeBackup) {
  const { name, bytes, files, started_at, ended_at, start_position, end_position, master_key } = manifest;
  return {
    folder,
    name,
    bytes,
    files,
    started_at,
    ended_at,
    start_position,
    end_position,
    master_key: master_key.kind,
    verification: verification.state,
    details: verification.details,
    removed,
  };
}

function format({ folder, manifest, verification, removed }: MadeBackup): string {
  const { bytes, files, ended_at, master_key } = manifest;
  const gone =
    removed.backups + removed.segments === 0
      ? []
      : [`removed ${removed.backups} old backups and ${removed.segments} old files of the write-ahead log`];
  return [
    `backup ${folder}: ${inMebibytes(bytes)} in ${files} files, as of ${formatTime(ended_at)}`,
    master_key.kind === 'sealed'
      ? `master key ${master_key.key_id}: sealed with the passphrase`
      : `master key ${master_key.key_id}: not in the backup; keep it elsewhere`,
    verification.state === 'verified' ? `verified: ${verification.details}` : `NOT verified: ${verification.details}`,
    ...gone,
  ].join('\n');
}
