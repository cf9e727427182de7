import { outcome } from '../../messages/outcome-texts.ts';
import { isFirstBackupMissing } from '../domain/backup/backup-state.ts';
import { makeBackup } from '../domain/backup/make-backup.ts';
import { BackupError } from '../platform/postgres/backup/backup-error.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job, JobContext } from './job.ts';
import { giveBackJob } from './schedule-queries.ts';

const mebibyte = 1_048_576;

/** Makes verified backups of the embedded PostgreSQL in BACKUP_DIR. */
export function backUpJob(everyHours: number): Job {
  const job: Job = {
    name: 'back_up',
    everySeconds: everyHours * 3600,
    async run({ config, backupSource, database, stopping }) {
      const { backupDir, backupKeep, backupPassphrase, masterKey, masterKeysPrevious } = config;
      if (!backupSource || !backupDir || !masterKey) throw new BackupError('only the embedded PostgreSQL is backed up');
      try {
        const { manifest, verification, removed } = await makeBackup({
          ...backupSource,
          parent: backupDir,
          keep: backupKeep,
          masterKeys: [masterKey, ...masterKeysPrevious],
          passphrase: backupPassphrase,
          isToVerify: true,
          onProgress: () => {},
          stopping,
        });
        if (verification.state !== 'verified')
          throw new BackupError(`backup ${manifest.name} is not verified: ${verification.details}`);
        const mebibytes = Math.ceil(manifest.bytes / mebibyte);
        return outcome('backed_up', { name: manifest.name, mebibytes, removed: removed.backups });
      } catch (error) {
        if (!stopping.aborted) throw error;
        // The next node that starts makes it.
        await database.transaction(noAccounts, (tx) => giveBackJob(tx, job));
        return outcome('backup_stopped');
      }
    },
  };
  return job;
}

/** A new archive needs a backup to begin with; it must not wait for the end of the interval. */
export async function makeBackupDue(context: Pick<JobContext, 'config' | 'backupSource' | 'database'>): Promise<void> {
  const { config, backupSource, database } = context;
  const { backupDir, backupEveryHours } = config;
  if (!backupSource || backupDir === null || backupEveryHours === null) return;
  if (!(await isFirstBackupMissing(backupSource.dataDir, backupDir))) return;
  await database.transaction(noAccounts, (tx) => giveBackJob(tx, backUpJob(backupEveryHours)));
}
