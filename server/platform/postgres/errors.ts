import { DatabaseError } from 'pg';
import { ConnectionError } from './connection.ts';
import { DatabaseUnavailable } from './deadline.ts';

/** The five characters that PostgreSQL gives to each kind of error. */
function stateOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}

/** Repeating the transaction may succeed. After 0A000, a statement is planned again (see `connection.ts`). */
export function isRepeatable(error: unknown): boolean {
  return ['40001', '40P01', '0A000'].includes(stateOf(error));
}

/** Another transaction held the needed locks for too long, or in the opposite order. */
export function isContention(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(stateOf(error));
}

/** Another transaction has just created a row with the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(error) === '23505';
}

export function rethrowUnavailable(error: unknown): never {
  throw isUnavailable(error) ? new DatabaseUnavailable(explainOutage(error)) : error;
}

function explainOutage(error: unknown): string {
  const reason = error instanceof ConnectionError ? error.reason : stateOf(error);
  return /\s/.test(reason) ? reason : `${reason}: the database is out of reach`;
}

/**
 * Connection lost (08), login rejected (28, 3D000), out of resources such as disk or connections (53), server stopping or statement cancelled (57),
 * a standby that accepts no writes (25006), a transaction that was idle for too long (25P03), a statement whose columns
 * a migration has changed (0A000), and contention that outlasted our repeats (40001, 40P01, 55P03).
 */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    /^(08|28|53|57)|^(0A000|25006|3D000|25P03|40001|40P01|55P03)$/.test(stateOf(error))
  );
}

/** The server answers, but not to this user, password or database name. */
export function isRejectedLogin(error: unknown): boolean {
  return /^28|^3D000$/.test(stateOf(error));
}
