import type { Output } from './figures.ts';

export interface BenchOptions {
  quick: boolean;
  /** The seed of all random choices. */
  seed: number;
  /** Profiles the service and PostgreSQL. */
  profile: boolean;
  /** The duration of the soak test; null: the default. */
  minutes: number | null;
  /** The number of stored orders in benchmarks of the office pages; null: the default. */
  orders: number | null;
  /** The folder of another version to compare with; null: this one. */
  before: string | null;
  /** The folder with the other products that `side-by-side` needs. */
  others: string | null;
  /** For a shorter comparison of versions; null: all of it. */
  rounds: number | null;
  connections: number[] | null;
  accounts: number[] | null;
  only: 'orders' | 'requests' | null;
  plan: Plan;
}

/** The duration and number of the turns of each contestant. */
export interface Plan {
  /** The maximum total time that a benchmark waits for other load on the machine to end. */
  patienceSeconds: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
  /**
   * The pause after each turn, so that no turn pays for the cleanup of the previous one: dirty pages, closed
   * connections, garbage.
   */
  restSeconds: number;
}
/** Only checks that everything works; the measurements are not meaningful. */
export const quickPlan: Plan = { patienceSeconds: 0, warmUpSeconds: 0, rounds: 1, seconds: 0.5, restSeconds: 0 };
export const fullPlan: Plan = { patienceSeconds: 300, warmUpSeconds: 3, rounds: 5, seconds: 5, restSeconds: 1 };

/** Returns the errors found; slowness is not an error. */
export type Benchmark = (options: BenchOptions, output: Output) => Promise<{ mistakes: string[] }>;
