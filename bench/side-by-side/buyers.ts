import { fork } from 'node:child_process';
import { quantile } from '../figures.ts';
import { ask } from '../load-generator.ts';
import type { Rate } from '../turns.ts';
import type { Recipe } from './purchase.ts';

export interface BuyersTask {
  port: number;
  recipe: Recipe;
  /** Each has its own connection. */
  buyers: number;
  /** Each order has one unit of one of these. */
  skuIds: string[];
  /** null: every buyer orders once. */
  seconds: number | null;
  seed: number;
}

interface Counts {
  /** Orders that were placed. */
  accepted: number;
  /** Orders for which the service said that there is not enough stock. */
  refused: number;
  /** Everything else. */
  failed: number;
  /** The first failure. */
  example: string;
  /** NaN without an order. */
  requestsPerOrder: number;
  /** The share of one core that the buyers used. */
  cpuShare: number;
}

/** The report of the process. */
export interface BuyersReport extends Counts {
  seconds: number;
  perSecond: number;
  /** The latencies of whole orders, in ascending order. */
  latenciesMs: Float64Array;
}

export type BuyersResult = Rate & Counts;

export interface Buyers {
  run(task: BuyersTask): Promise<BuyersResult>;
  stop(): void;
}

/** One process for the whole run, so that its code is warm. */
export function startBuyers(): Buyers {
  const child = fork(new URL('./buyers-process.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  return {
    async run(task) {
      const { latenciesMs, seconds: _, ...report } = (await ask(child, task)) as BuyersReport;
      return { ...report, p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) };
    },
    stop: () => void child.kill(),
  };
}
