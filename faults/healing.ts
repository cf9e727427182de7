import { becomes, patiently } from './patience.ts';
import type { World, WorldReport } from './world.ts';

/** Tells how long after the end of a fault callers were served again. */
export interface HealingWatch {
  /** From now on, by every node; a finding for each that takes too long. */
  untilServed(after: string): Promise<void>;
  /** The slowest of each kind, in milliseconds. */
  slowest: Record<string, number>;
}

const healsWithinMs = 30_000;
/** Answers that were on their way when the fault ended do not count: of each node so many must come. */
const servedAgainAnswers = 25;

export function watchHealing(world: World, quick: boolean): HealingWatch {
  const withinMs = patiently(healsWithinMs, quick);
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
      await becomes(() => notYet().length === 0, { withinMs, everyMs: 5 });
      for (const { name } of notYet()) world.find('wrong', `${name} did not serve again within ${withinMs / 1000} s after: ${after}`);
      const figure = `${after}: all nodes serve again after ms`;
      slowest[figure] = Math.max(slowest[figure] ?? 0, Math.round(performance.now() - startedAt));
    },
  };
}

/** Without a database nobody can be served: whoever is was not hit. What was on its way before still comes. */
export async function nobodyServedDuring(world: World, what: string, lasting: () => Promise<void>): Promise<void> {
  world.takeLongestGapMs();
  const startedAt = performance.now();
  await lasting();
  const lastedMs = performance.now() - startedAt;
  if (world.takeLongestGapMs() < lastedMs / 2) world.find('wrong', `callers were served although: ${what}`);
}

/** The contract's bound, and what is this machine's. */
const answeredWithinMs = 5500;

/** Whatever happens to the database, callers have an answer in time. */
export function holdToBound(report: WorldReport, quick: boolean): WorldReport {
  return hold(report, 'an answer took', Number(report.figures.slowestAnswerMs), patiently(answeredWithinMs, quick));
}

/** Whatever happens to one node, somebody is served. */
export function holdOutage(report: WorldReport, maxMs: number, quick: boolean): WorldReport {
  return hold(report, 'nobody was served for', report.longestOutageMs!, patiently(maxMs, quick));
}

function hold(report: WorldReport, what: string, milliseconds: number, maxMs: number): WorldReport {
  if (milliseconds <= maxMs) return report;
  const finding = `wrong: ${what} ${milliseconds} ms, and ${maxMs} ms are allowed`;
  return { ...report, wrong: report.wrong + 1, findings: [...report.findings, finding] };
}
