import { eventually, extendForQuickRun } from './patience.ts';
import type { World, WorldReport } from './world.ts';

/** Measures how long after the end of a fault callers are served again. */
export interface HealingWatch {
  /** Waits from now until every node serves callers; adds a finding for each node that takes too long. */
  untilServed(after: string): Promise<void>;
  /** The slowest of each kind, in milliseconds. */
  slowest: Record<string, number>;
}

const healsWithinMs = 30_000;
/**
 * The number of responses required from each node, because responses already in flight when the fault ended do not
 * count.
 */
const servedAgainAnswers = 25;

export function watchRecovery(world: World, quick: boolean): HealingWatch {
  const withinMs = extendForQuickRun(healsWithinMs, quick);
  const servedByEach = () => world.nodes.map((_, node) => world.tallies()[node]!.done);
  const slowest: Record<string, number> = {};
  return {
    slowest,
    async untilServed(after) {
      const startedAt = performance.now();
      const before = servedByEach();
      const notYet = () => {
        const served = servedByEach();
        return world.nodes.filter((_, node) => served[node]! < before[node]! + servedAgainAnswers);
      };
      await eventually(() => notYet().length === 0, { withinMs, everyMs: 5 });
      for (const { name } of notYet())
        world.find('wrong', `${name} did not serve again within ${withinMs / 1000} s after: ${after}`);
      const figure = `${after}: all nodes serve again after ms`;
      slowest[figure] = Math.max(slowest[figure] ?? 0, Math.round(performance.now() - startedAt));
    },
  };
}

/**
 * Without a database no request can succeed; a success means that the fault did not take effect. Responses already in
 * flight may still arrive.
 */
export async function expectOutageDuring(world: World, what: string, lasting: () => Promise<void>): Promise<void> {
  world.takeLongestGapMs();
  const startedAt = performance.now();
  await lasting();
  const lastedMs = performance.now() - startedAt;
  if (world.takeLongestGapMs() < lastedMs / 2) world.find('wrong', `callers were served during this fault: ${what}`);
}

/** The limit of the contract plus a margin for this machine. */
const answeredWithinMs = 5500;

/** Checks that callers get a response in time, whatever happens to the database. */
export function checkResponseTime(report: WorldReport, quick: boolean): WorldReport {
  return hold(
    report,
    'a response took',
    Number(report.figures.slowestAnswerMs),
    extendForQuickRun(answeredWithinMs, quick),
  );
}

/** Checks that other nodes serve callers, whatever happens to one node. */
export function checkOutage(report: WorldReport, maxMs: number, quick: boolean): WorldReport {
  return hold(report, 'no caller was served for', report.longestOutageMs!, extendForQuickRun(maxMs, quick));
}

function hold(report: WorldReport, what: string, milliseconds: number, maxMs: number): WorldReport {
  if (milliseconds <= maxMs) return report;
  const finding = `wrong: ${what} ${milliseconds} ms; at most ${maxMs} ms are allowed`;
  return { ...report, wrong: report.wrong + 1, findings: [...report.findings, finding] };
}
