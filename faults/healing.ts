import { setTimeout as sleep } from 'node:timers/promises';
import type { World, WorldReport } from './world.ts';

/** Tells how long after the end of a fault callers were served again. */
export interface HealingWatch {
  /** From now on; a finding where it takes too long. */
  untilServed(after: string): Promise<void>;
  /** The slowest of each kind, in milliseconds. */
  slowest: Record<string, number>;
}

const healsWithinSeconds = 30;

export function watchHealing(world: World): HealingWatch {
  const served = () => world.tallies().at(-1)!.done;
  const slowest: Record<string, number> = {};
  return {
    slowest,
    async untilServed(after) {
      const startedAt = performance.now();
      const elapsedMs = () => Math.round(performance.now() - startedAt);
      const before = served();
      while (served() === before && elapsedMs() < healsWithinSeconds * 1000) await sleep(5);
      if (served() === before) world.find('wrong', `nobody was served within ${healsWithinSeconds} s after: ${after}`);
      const name = `${after}: served again after ms`;
      slowest[name] = Math.max(slowest[name] ?? 0, elapsedMs());
    },
  };
}

/** The contract's bound; what is beyond it is this machine's, and a smoke on a busy one says little about time. */
const answeredWithinMs = { full: 5500, quick: 9000 };

/** Whatever happens to the database, callers have an answer in time. */
export function holdToBound(report: WorldReport, quick: boolean): WorldReport {
  const slowestMs = Number(report.figures.slowestAnswerMs);
  if (slowestMs <= answeredWithinMs[quick ? 'quick' : 'full']) return report;
  return { ...report, wrong: report.wrong + 1, findings: [...report.findings, `wrong: an answer took ${slowestMs} ms`] };
}
