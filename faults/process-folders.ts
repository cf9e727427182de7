import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { signalled } from './child-process.ts';

/**
 * The processes that work in a folder or below it. Each PostgreSQL process works in its data folder, also after the
 * process that started it has died.
 */
export function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => {
      const place = workFolderOf(pid);
      return place !== null && (place === folder || place.startsWith(`${folder}/`));
    })
    .map(Number);
}

/** Stops the processes until no new ones appear, because a process may start another one meanwhile; returns all. */
export function suspendProcessesIn(folder: string): number[] {
  const suspended = new Set<number>();
  for (;;) {
    const others = processesIn(folder).filter((pid) => !suspended.has(pid));
    if (others.length === 0) return [...suspended];
    for (const pid of others) {
      signalled(pid, 'SIGSTOP');
      suspended.add(pid);
    }
  }
}

/** Suspends them first, so that they all end at the same moment, as in a machine that loses power. */
export function killProcessesIn(folder: string): void {
  for (const pid of suspendProcessesIn(folder)) signalled(pid, 'SIGKILL');
}

/** The command line, which PostgreSQL changes to the task of a process; empty if the process has ended. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Also if the folder has been removed; null if the process has ended. */
function workFolderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}
