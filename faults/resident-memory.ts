import { readFileSync } from 'node:fs';

/** The resident memory of a process in MB. Throws if it cannot be read. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has exited`);
  return Math.round(Number(kilobytes) / 1024);
}
