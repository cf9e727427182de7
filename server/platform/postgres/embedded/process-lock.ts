import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMilliseconds = 25;
const sqliteBusy = 5;

/**
 * Runs the work while no other process works under the same lock file; undefined if the lock stayed taken for too long.
 * The kernel releases the lock when its holder dies. Node offers no flock(), but the transaction of an empty SQLite
 * file is such a lock, on Linux and on macOS.
 */
export async function withProcessLock<Result>(
  lockFile: string,
  waitSeconds: number,
  work: () => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  const deadline = Date.now() + waitSeconds * 1000;
  makeLockFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    while (!tryLock(lock)) {
      if (Date.now() > deadline) return undefined;
      await sleep(pollMilliseconds);
    }
    return { result: await work() };
  } finally {
    lock.close();
  }
}

/**
 * Not readable for others, who could lock it too. An existing file is not even opened, because closing it would drop a
 * lock that this process has on it.
 */
function makeLockFile(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    // With its journal in memory it writes nothing, so a full disk is no obstacle.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false;
    throw error;
  }
}
