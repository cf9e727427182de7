import type { Output } from './figures.ts';

export interface BenchOptions {
  quick: boolean;
  /** Of all random choices. */
  seed: number;
  /** Where the time goes: in the service, and in PostgreSQL. */
  profile: boolean;
  /** How long the soak takes; null: as long as it should. */
  minutes: number | null;
  plan: Plan;
}

/** How long each contestant has its turn, and how often. */
export interface Plan {
  /** For so long altogether a benchmark waits for others to leave the machine alone. */
  patienceSeconds: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
  /** After each turn, so that nobody has to tidy up what the one before has left: dirty pages, closed connections, garbage. */
  restSeconds: number;
}
/** Shows that everything works: what it measures says little. */
export const quickPlan: Plan = { patienceSeconds: 0, warmUpSeconds: 0, rounds: 1, seconds: 0.5, restSeconds: 0 };
export const fullPlan: Plan = { patienceSeconds: 300, warmUpSeconds: 3, rounds: 5, seconds: 5, restSeconds: 1 };

/** Ends with what was not right; speed is no mistake. */
export type Benchmark = (options: BenchOptions, output: Output) => Promise<{ mistakes: string[] }>;
