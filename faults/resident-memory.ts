import { readFileSync } from 'node:fs';

/** How much memory a process has, in MB; it fails where that cannot be read, so that nothing unknown passes for little. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory any more`);
  return Math.round(Number(kilobytes) / 1024);
}
