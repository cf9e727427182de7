import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfUser } from './database-user.ts';

/** Its message is written for the person who starts Lading: the problem and the solution. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export const useAnotherDatabase = 'or set DATABASE_URL to a PostgreSQL of your own';

/** Explains an error of the operating system in a folder. */
export function explainSystemError(error: unknown, folder: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EROFS':
      return new EmbeddedPostgresError(
        `The disk that holds ${folder} is read-only. Set DATA_DIR to a folder that can be written, ${useAnotherDatabase}.`,
      );
    case 'EACCES':
    case 'EPERM':
      return explainMissingPermission(folder);
    case 'ENOSPC':
    case 'EDQUOT':
      return explainFullDisk(folder);
    default:
      return new EmbeddedPostgresError(`The database in ${folder} could not be prepared: ${message}`, { cause: error });
  }
}

export function explainFullDisk(folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The disk that holds ${folder} is full. Make room on it, then start Lading again; nothing that was confirmed is lost.`,
  );
}

export function complainsOfFullDisk(log: string): boolean {
  return /No space left on device|Disk quota exceeded|Check free disk space/.test(log);
}

function explainMissingPermission(folder: string): EmbeddedPostgresError {
  const own = process.geteuid!();
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const wasUsedBefore = existsSync(join(folder, 'pg'));
  if (wasUsedBefore && owner !== undefined && owner !== own) return explainOtherOwner(folder, owner);
  return new EmbeddedPostgresError(
    `Lading runs as ${nameOfUser(own)}, who may not write to ${folder}. Change its permissions, set DATA_DIR to another folder, ${useAnotherDatabase}.`,
  );
}

export function explainOtherOwner(folder: string, owner: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${folder} belongs to ${nameOfUser(owner)}, who probably started Lading here before, and now it runs as ${nameOfUser(process.geteuid!())}. ` +
      `Start it as ${nameOfUser(owner)} again, set DATA_DIR to another folder, ${useAnotherDatabase}.`,
  );
}
