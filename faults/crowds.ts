import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultWarehouse } from './child-process.ts';
import type { CrowdKind, CrowdReport } from './crowd-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { stockedSku } from './hostile-bodies.ts';
import { openRawConnection } from './raw-connection.ts';
import { withWorld } from './world.ts';

interface Crowd {
  kind: CrowdKind;
  size: number;
  /** How long a connection of this kind may last at most; null: as long as it asks. */
  lifeMaxSeconds: number | null;
}

/** The service gives a request 15 s from when it has accepted the connection, which may have waited in line before. */
const lifeMaxSeconds = 30;

const fullCrowds: Crowd[] = [
  { kind: 'silent', size: 5000, lifeMaxSeconds },
  { kind: 'trickling', size: 3000, lifeMaxSeconds },
  { kind: 'hoarding', size: 2000, lifeMaxSeconds },
  { kind: 'endless', size: 300, lifeMaxSeconds },
  { kind: 'lying', size: 600, lifeMaxSeconds },
  { kind: 'asking', size: 500, lifeMaxSeconds: null },
  { kind: 'asking', size: 4000, lifeMaxSeconds: null },
];
const quickSizes: Record<CrowdKind, number> = { silent: 1000, trickling: 1000, hoarding: 500, endless: 100, lying: 300, asking: 1000 };

const clients = 4;
const gatherSecondsMax = 15;
const memoryMaxMb = 1024;

/**
 * Crowds of every kind, one after the other, while honest callers are at work: those are served on, what the crowd holds is bounded, its connections
 * are closed in time, and when it has gone all is as before.
 */
export async function crowds({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const all = quick ? fullCrowds.slice(0, -1).map((crowd) => ({ ...crowd, size: quickSizes[crowd.kind] })) : fullCrowds;
  const seconds = quick ? 1.5 : 25;
  const figures: Record<string, number | string> = {};
  const rules = { seed, nodes: 1, callersPerNode: 4, progress };
  const report = await withWorld(rules, async ({ nodes, find }) => {
    const url = nodes[0]!.url;
    await measure(url, 1);
    const alone = await measure(url, quick ? 1.5 : 10);
    figures.alone = `p50 ${alone.p50Ms} ms, newcomers ${alone.newcomerP50Ms} ms, ${alone.memoryMb} MB`;
    for (const crowd of all) {
      const name = `${crowd.size} ${crowd.kind}`;
      const child = gather(crowd, url);
      await child.gathered();
      const among = await measure(url, seconds);
      const gathered = child.report();
      await child.disperse();
      figures[name] = word(among, alone, gathered);
      progress(`${name}: ${figures[name]}`);
      for (const what of wrongWith(crowd, among, gathered)) find('wrong', `among ${name}: ${what}`);
    }
    await sleep(quick ? 1000 : 5000);
    const after = await measure(url, quick ? 1.5 : 10);
    figures.afterwards = `p50 ${after.p50Ms} ms (${ratio(after.p50Ms, alone.p50Ms)} of alone), ${after.memoryMb} MB`;
    if (after.failed > 0) find('wrong', `${after.failed} honest calls failed when all crowds had gone`);
  });
  return { ...report, fault: 'crowds', rounds: all.length, figures: { ...report.figures, ...figures } };
}

interface Gathered {
  /** All of them have been there; or it takes too long, since those who were there are served. */
  gathered(): Promise<void>;
  report(): CrowdReport;
  disperse(): Promise<void>;
}

function gather({ kind, size }: Crowd, url: string): Gathered {
  const child: ChildProcess = fork(new URL('./crowd-process.ts', import.meta.url), [kind, new URL(url).port, String(size)]);
  let latest: CrowdReport = { open: 0, connected: 0, statuses: {}, longestLifeMs: 0 };
  child.on('message', (report) => {
    latest = report as CrowdReport;
  });
  return {
    report: () => latest,
    async gathered() {
      const giveUpAt = performance.now() + gatherSecondsMax * 1000;
      while (latest.connected < size && performance.now() < giveUpAt) await sleep(100);
    },
    async disperse() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

interface Measure {
  calls: number;
  /** Told to come back later, as the contract has it. */
  busy: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  /** Of whoever has no connection yet. */
  newcomerP50Ms: number;
  memoryMb: number;
}

/** Honest calls, one after the other on a few connections; and how large the service has become. */
async function measure(url: string, seconds: number): Promise<Measure> {
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  const newcomerDurations: number[] = [];
  let [busy, failed, memoryMb] = [0, 0, 0];
  const warehouse = faultWarehouse({ url });

  async function call(): Promise<void> {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await warehouse.stockQuery([stockedSku]).then(
        () => durations.push(performance.now() - startedAt),
        ({ status }: { status?: number }) => void (status === 503 ? busy++ : failed++),
      );
    }
  }

  async function watchMemory(): Promise<void> {
    while (performance.now() < until) {
      memoryMb = Math.max(memoryMb, await residentMb(url));
      await sleep(250);
    }
  }

  async function comeAnew(): Promise<void> {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const connection = openRawConnection(Number(new URL(url).port));
      connection.send('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
      const end = await connection.answer();
      connection.end();
      if (typeof end === 'string' || end.status !== 200) failed++;
      newcomerDurations.push(performance.now() - startedAt);
      await sleep(50);
    }
  }

  await Promise.all([...Array.from({ length: clients }, call), watchMemory(), comeAnew()]);
  const [p50Ms, p99Ms] = [quantile(durations, 0.5), quantile(durations, 0.99)];
  return { calls: durations.length, busy, failed, p50Ms, p99Ms, newcomerP50Ms: quantile(newcomerDurations, 0.5), memoryMb };
}

function quantile(values: number[], share: number): number {
  const value = values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
  return Math.round(value * 100) / 100;
}

async function residentMb(url: string): Promise<number> {
  const metrics = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1] ?? 0) / 1_048_576);
}

function word(among: Measure, alone: Measure, { open, connected, statuses, longestLifeMs }: CrowdReport): string {
  const told = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const crowd = `${open} open of ${connected}, the longest ${Math.round(longestLifeMs / 1000)} s, told ${told.join(', ') || 'nothing'}`;
  const served = `${among.calls} served, ${among.busy} told to come back, ${among.failed} failed`;
  return `p50 ${among.p50Ms} ms (${ratio(among.p50Ms, alone.p50Ms)} of alone), p99 ${among.p99Ms} ms, newcomers ${among.newcomerP50Ms} ms, ${served}; ${among.memoryMb} MB; ${crowd}`;
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100;
}

function wrongWith({ kind, lifeMaxSeconds }: Crowd, { calls, failed, memoryMb }: Measure, crowd: CrowdReport): string[] {
  const allowed: Record<CrowdKind, string[]> = {
    silent: ['408'],
    trickling: ['408'],
    hoarding: ['408', '503'],
    endless: ['413', '503'],
    lying: ['400', '401', '408', '413', '503'],
    asking: ['200', '503'],
  };
  const strange = Object.keys(crowd.statuses).filter((status) => !allowed[kind].includes(status));
  return [
    ...(calls === 0 ? ['nobody was served'] : []),
    ...(failed > 0 ? [`${failed} honest calls failed`] : []),
    ...(memoryMb > memoryMaxMb ? [`the service had ${memoryMb} MB`] : []),
    ...(strange.length > 0 ? [`the crowd was answered with ${strange.join(', ')}`] : []),
    ...(lifeMaxSeconds !== null && crowd.longestLifeMs > lifeMaxSeconds * 1000 ? [`a connection lasted ${crowd.longestLifeMs} ms`] : []),
  ];
}
