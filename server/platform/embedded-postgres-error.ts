import { statSync } from 'node:fs';
import { nameOfUser } from './database-user.ts';

/** Its message is written for the person who starts Lading: what is wrong, and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export const useAnotherDatabase = 'or set DATABASE_URL to a PostgreSQL of your own';

/** Words for what the operating system refused while working in a folder. */
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
      return new EmbeddedPostgresError(diskFull(folder));
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedPostgresError(
        `DATA_DIR must be a folder, and ${folder} is (or lies below) a file. Set DATA_DIR to another place.`,
      );
    default:
      return new EmbeddedPostgresError(`The database in ${folder} could not be prepared: ${message}`, { cause: error });
  }
}

export function diskFull(folder: string): string {
  return `The disk that holds ${folder} is full. Make room on it, then start Lading again; nothing that was confirmed is lost.`;
}

function explainMissingPermission(folder: string): EmbeddedPostgresError {
  const own = process.geteuid!();
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === own) {
    return new EmbeddedPostgresError(
      `${nameOfUser(own)} may not write to ${folder}. Change its permissions, set DATA_DIR to another folder, ${useAnotherDatabase}.`,
    );
  }
  return belongsToAnother(folder, owner);
}

export function belongsToAnother(folder: string, owner: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${folder} belongs to ${nameOfUser(owner)}, and Lading now runs as ${nameOfUser(process.geteuid!())}: ` +
      `it was probably started by ${nameOfUser(owner)} before. Start it as that user again, set DATA_DIR to another folder, ${useAnotherDatabase}.`,
  );
}
