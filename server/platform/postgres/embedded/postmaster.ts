import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PostgresCluster } from './cluster.ts';
import { explainSystemError } from './error.ts';

/** The content of postmaster.pid. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  acceptsConnections: boolean;
}

export function readPostmaster({ folder }: Pick<PostgresCluster, 'folder'>): Postmaster | undefined {
  const text = readPidFile(folder);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  // A stand-alone backend writes its process id with a minus.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10)) || 0;
  return { pid, socketFolder: lines[4] ?? '', acceptsConnections: lines[7]?.trim() === 'ready' };
}

export function readPidFile(folder: string): string | undefined {
  try {
    return readFileSync(pidFile(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw explainSystemError(error, folder);
  }
}

export function pidFile(folder: string): string {
  return join(folder, 'postmaster.pid');
}

/** 'stranger': a process with that id exists, and it is not the server of this cluster. */
export function whoHas(pid: number, { folder }: Pick<PostgresCluster, 'folder'>): 'our_server' | 'nobody' | 'stranger' {
  if (pid <= 0 || !exists(pid)) return 'nobody';
  if (process.platform !== 'linux') return commandOf(pid).includes(`postgres -D ${folder}`) ? 'our_server' : 'stranger';
  try {
    // Readable even where root may not read the working folder of another user's process, as in most containers. Empty
    // for a zombie.
    const [program = '', option, dataFolder] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (program === '') return 'stranger';
    if (basename(program) === 'postgres' && option === '-D' && dataFolder === folder) return 'our_server';
    return readlinkSync(`/proc/${pid}/cwd`) === folder ? 'our_server' : 'stranger';
  } catch {
    return exists(pid) ? 'stranger' : 'nobody';
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
