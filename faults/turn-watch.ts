import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** A turn of the service's event loop that kept other requests waiting. */
export interface LongTurn {
  /** End of the turn, in epoch milliseconds. */
  atMs: number;
  wallMs: number;
  /** The decisive figure: on a busy machine, wall time includes waiting for a processor. */
  cpuMs: number;
  /** The part of the turn spent on garbage collection. */
  garbageMs: number;
}

/** NODE_OPTIONS that load this module into a service. It writes each long turn as a line of `file`. */
export function turnWatchOptions(file: string): string {
  const url = new URL(import.meta.url);
  url.searchParams.set('file', file);
  return `--import ${url}`;
}

export function readLongTurns(file: string): LongTurn[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const longFromMs = 12;
const lookEveryMs = 4;

const ownFile = new URL(import.meta.url).searchParams.get('file');
if (ownFile !== null && isMainThread) watch(ownFile);

function watch(file: string): void {
  let garbageMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) garbageMs += duration;
  }).observe({ entryTypes: ['gc'] });

  let [wallMs, cpuMs] = [performance.now(), threadCpuMs()];
  // The timer fires after any turn that takes longer than the interval, so each check sees one turn.
  setInterval(() => {
    const [nowMs, nowCpuMs] = [performance.now(), threadCpuMs()];
    const turn: LongTurn = { atMs: Date.now(), wallMs: nowMs - wallMs, cpuMs: nowCpuMs - cpuMs, garbageMs };
    [wallMs, cpuMs, garbageMs] = [nowMs, nowCpuMs, 0];
    if (turn.wallMs >= longFromMs) appendFileSync(file, `${JSON.stringify(turn)}\n`);
  }, lookEveryMs).unref();
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
