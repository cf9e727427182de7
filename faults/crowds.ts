import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultWarehouse } from './child-process.ts';
import type { CrowdKind, CrowdReport } from './crowd-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { stockedSku } from './hostile-bodies.ts';
import { eventually, extendForQuickRun, withTimeout } from './patience.ts';
import { openRawConnection } from './raw-connection.ts';
import { residentMb } from './resident-memory.ts';
import type { ServiceNode } from './service-node.ts';
import { withWorld } from './world.ts';

interface Crowd {
  kind: CrowdKind;
  size: number;
  /** The maximum lifetime of a connection; null: unlimited, because it keeps sending requests. */
  lifeMaxMs: number | null;
}

/** The service allows 15 s per request, counted from accepting the connection, which may have been queued before. */
const lifeMaxMs = 30_000;

const fullCrowds: Crowd[] = [
  { kind: 'silent', size: 5000, lifeMaxMs },
  { kind: 'trickling', size: 3000, lifeMaxMs },
  { kind: 'hoarding', size: 2000, lifeMaxMs },
  { kind: 'endless', size: 300, lifeMaxMs },
  { kind: 'lying', size: 600, lifeMaxMs },
  { kind: 'asking', size: 500, lifeMaxMs: null },
  { kind: 'asking', size: 4000, lifeMaxMs: null },
];
const quickSizes: Record<CrowdKind, number> = {
  silent: 300,
  trickling: 300,
  hoarding: 200,
  endless: 50,
  lying: 150,
  asking: 400,
};

const clients = 4;
const gatherMsMax = 15_000;
const disperseMsMax = 10_000;
/** Longer than the maximum lifetime of a connection. */
const watchSeconds = 40;
const memoryMaxMb = 1024;
const answeredWithinMs = 10_000;
/** A new connection is queued together with those of the crowd. */
const newcomerAnsweredWithinMs = 20_000;

/**
 * Opens thousands of useless connections of every kind, one kind after the other, beside honest callers. The honest
 * callers must still be served, memory must stay bounded, useless connections must be closed in time, and performance
 * must recover afterwards.
 */
export async function crowds({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const all = quick ? fullCrowds.slice(0, -1).map((crowd) => ({ ...crowd, size: quickSizes[crowd.kind] })) : fullCrowds;
  const seconds = quick ? 1.5 : watchSeconds;
  const figures: Record<string, number | string> = {};
  const rules = { quick, seed, nodes: 1, callersPerNode: 4, progress };
  const report = await withWorld(rules, async ({ nodes, find }) => {
    const node = nodes[0]!;
    await measure(node, 1, quick);
    const alone = await measure(node, quick ? 1.5 : 10, quick);
    figures.alone = `p50 ${alone.p50Ms} ms, newcomers ${alone.newcomerP50Ms} ms, ${alone.memoryMb} MB`;
    for (const crowd of all) {
      const name = `${crowd.size} ${crowd.kind}`;
      const child = gather(crowd, node.url, (what) => find('wrong', `among ${name}: ${what}`));
      await child.gathered(extendForQuickRun(gatherMsMax, quick));
      const among = await measure(node, seconds, quick);
      const gathered = child.report();
      await child.disperse(extendForQuickRun(disperseMsMax, quick));
      figures[name] = formatMeasure(among, alone, gathered);
      progress(`${name}: ${figures[name]}`);
      for (const what of [...wrongWith(among), ...wrongWithCrowd(crowd, gathered, quick)])
        find('wrong', `among ${name}: ${what}`);
    }
    await sleep(quick ? 1000 : 5000);
    const after = await measure(node, quick ? 1.5 : 10, quick);
    figures.afterwards = `p50 ${after.p50Ms} ms (${ratio(after.p50Ms, alone.p50Ms)} of alone), ${after.memoryMb} MB`;
    for (const what of wrongWith(after)) find('wrong', `after all crowds: ${what}`);
  });
  return { ...report, fault: 'crowds', rounds: all.length, figures: { ...report.figures, ...figures } };
}

interface Gathered {
  /** Waits until all have connected, or until the time limit, since connections that are served make way for others. */
  gathered(withinMs: number): Promise<void>;
  report(): CrowdReport;
  disperse(withinMs: number): Promise<void>;
}

function gather({ kind, size }: Crowd, url: string, find: (what: string) => void): Gathered {
  const child: ChildProcess = fork(new URL('./crowd-process.ts', import.meta.url), [
    kind,
    new URL(url).port,
    String(size),
  ]);
  let latest: CrowdReport = { open: 0, connected: 0, statuses: {}, longestLifeMs: 0 };
  const gone = once(child, 'exit');
  let isWanted = true;
  child.on('message', (report) => {
    latest = report as CrowdReport;
  });
  child.once('exit', (code, signal) => {
    if (isWanted) find(`the crowd ended unexpectedly with ${code ?? signal}`);
  });
  return {
    report: () => latest,
    gathered: async (withinMs) => void (await eventually(() => latest.connected >= size, { withinMs, everyMs: 100 })),
    async disperse(withinMs) {
      isWanted = false;
      if (child.connected) child.disconnect();
      await withTimeout(gone, { withinMs, what: 'end of the crowd' }).catch((error) => {
        child.kill('SIGKILL');
        throw error;
      });
    },
  };
}

interface Measure {
  calls: number;
  /** Number of 503 responses, which the contract allows. */
  busy: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  /** For requests on a new connection. */
  newcomerP50Ms: number;
  /** The maximum. */
  memoryMb: number;
}

/** Measures the latency of honest calls on a few connections, and the memory of the service. */
async function measure(node: ServiceNode, seconds: number, quick: boolean): Promise<Measure> {
  const { url } = node;
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  const newcomerDurations: number[] = [];
  let [busy, failed, memoryMb] = [0, 0, 0];
  const warehouse = faultWarehouse({ url }, extendForQuickRun(answeredWithinMs, quick) / 1000);

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
      memoryMb = Math.max(memoryMb, residentMb(node.pid()!));
      await sleep(250);
    }
  }

  async function callOnNewConnections(): Promise<void> {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const connection = openRawConnection(Number(new URL(url).port));
      connection.send('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
      const end = await connection.answer(extendForQuickRun(newcomerAnsweredWithinMs, quick));
      connection.end();
      if (typeof end === 'string' || end.status !== 200) failed++;
      newcomerDurations.push(performance.now() - startedAt);
      await sleep(50);
    }
  }

  await Promise.all([...Array.from({ length: clients }, call), watchMemory(), callOnNewConnections()]);
  const [p50Ms, p99Ms] = [quantile(durations, 0.5), quantile(durations, 0.99)];
  return {
    calls: durations.length,
    busy,
    failed,
    p50Ms,
    p99Ms,
    newcomerP50Ms: quantile(newcomerDurations, 0.5),
    memoryMb,
  };
}

function quantile(values: number[], share: number): number {
  const value = values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
  return Math.round(value * 100) / 100;
}

function formatMeasure(
  among: Measure,
  alone: Measure,
  { open, connected, statuses, longestLifeMs }: CrowdReport,
): string {
  const received = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const crowd = `${open} open of ${connected}, the longest ${Math.round(longestLifeMs / 1000)} s, responses ${received.join(', ') || 'none'}`;
  const served = `${among.calls} served, ${among.busy} busy, ${among.failed} failed`;
  return `p50 ${among.p50Ms} ms (${ratio(among.p50Ms, alone.p50Ms)} of alone), p99 ${among.p99Ms} ms, newcomers ${among.newcomerP50Ms} ms, ${served}; ${among.memoryMb} MB; ${crowd}`;
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100;
}

function wrongWith({ calls, failed, memoryMb }: Measure): string[] {
  return [
    ...(calls === 0 ? ['no honest call was served'] : []),
    ...(failed > 0 ? [`${failed} honest calls failed`] : []),
    ...(memoryMb > memoryMaxMb ? [`the service used ${memoryMb} MB`] : []),
  ];
}

function wrongWithCrowd({ kind, size, lifeMaxMs }: Crowd, crowd: CrowdReport, quick: boolean): string[] {
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
    ...(crowd.connected < size ? [`only ${crowd.connected} connections of the crowd were accepted`] : []),
    ...(strange.length > 0 ? [`the crowd got the responses ${strange.join(', ')}`] : []),
    ...(lifeMaxMs !== null && crowd.longestLifeMs > extendForQuickRun(lifeMaxMs, quick)
      ? [`a connection lasted ${crowd.longestLifeMs} ms`]
      : []),
  ];
}
