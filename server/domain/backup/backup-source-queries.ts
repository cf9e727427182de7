import { join } from 'node:path';
import type { PostgresBinaries } from '../../platform/postgres/embedded/binaries.ts';
import type { Sql } from '../../platform/postgres/sql.ts';

// Any number, as long as every version of Lading uses the same.
const backupKey = 7_210_018_403;

export interface ServerOfBackup {
  systemIdentifier: string;
  /** Those of the running server: a service that has given up root may not be able to find the ones of npm. */
  binaries: PostgresBinaries;
}

/** Until the session ends, no other process makes a backup. Returns false if another one does. */
export async function lockBackups(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_lock(${backupKey}) as "isLocked"`;
  return row!.isLocked;
}

export async function readServer(sql: Sql): Promise<ServerOfBackup> {
  const [row] = await sql<{ systemIdentifier: string; programs: string; majorVersion: string }[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
      (select setting from pg_config where name = 'BINDIR') as programs,
      (current_setting('server_version_num')::int / 10000)::text as "majorVersion"`;
  const { systemIdentifier, programs, majorVersion } = row!;
  const binaries = { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres'), majorVersion };
  return { systemIdentifier, binaries };
}
