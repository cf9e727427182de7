import assert from 'node:assert/strict';
import { lutimesSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackupDue } from '../../server/jobs/back-up-job.ts';
import { writeManifest } from '../../server/platform/postgres/backup/manifest.ts';
import { testConfig } from '../support/app.ts';
import { makeTestStore } from '../support/database.ts';

const store = await makeTestStore();
const folder = mkdtempSync(join(tmpdir(), 'lading-back-up-due-'));
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});
const dataDir = join(folder, 'data');
const backupDir = join(folder, 'backups');
for (const path of [dataDir, backupDir]) mkdirSync(path);
const config = testConfig({ BACKUP_DIR: backupDir, BACKUP_EVERY_H: '24', BACKUP_MASTER_KEY: 'exclude' });

function storeBackup(startedAt: string): void {
  const name = startedAt.replace(/[-:]|\.\d+/g, '');
  mkdirSync(join(backupDir, name));
  const facts = { name, lading_version: '0', postgres_version: '18.4', system_identifier: '1', timeline: 1 };
  const positions = { segment_bytes: 1, start_position: '0/1', end_position: '0/2', first_segment: '0'.repeat(24) };
  const master_key = { kind: 'excluded', key_id: 'a' } as const;
  const times = { started_at: startedAt, ended_at: startedAt, bytes: 0, master_key };
  writeManifest(join(backupDir, name), { ...facts, ...positions, ...times }, [], null);
}

function beginArchive(at: string): void {
  const link = join(dataDir, 'wal-archive');
  rmSync(link, { force: true });
  symlinkSync(join(backupDir, 'wal'), link);
  lutimesSync(link, new Date(at), new Date(at));
}

/** Whether the backup is due, although its interval has only begun. */
async function isDue(): Promise<boolean> {
  await store.database.read((sql) => sql`delete from schedule`);
  await store.database.read(
    (sql) => sql`insert into schedule (name, next_run_at) values ('back_up', now() + interval '1 day')`,
  );
  const backupSource = { dataDir, ladingVersion: '0' };
  await makeBackupDue({ config, backupSource, database: store.service });
  const [row] = await store.database.read((sql) => sql`select next_run_at <= now() as due from schedule`);
  return row!.due;
}

test('a backup is due at once if the archive begins after the last one: a new BACKUP_DIR, or a time without it', async () => {
  assert.equal(await isDue(), false);
  beginArchive('2026-03-01T04:00:00Z');
  assert.equal(await isDue(), true);
  storeBackup('2026-03-01T03:00:00.000Z');
  assert.equal(await isDue(), true);
  storeBackup('2026-03-01T05:00:00.000Z');
  assert.equal(await isDue(), false);
  beginArchive('2026-03-01T06:00:00Z');
  assert.equal(await isDue(), true);
});
