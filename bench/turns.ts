import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from './benchmark.ts';
import { median, type Output, rounded } from './figures.ts';
import type { Watch } from './others.ts';

/** The result of one turn. */
export interface Rate {
  perSecond: number;
  /** NaN if unknown. */
  p50Ms: number;
  p99Ms: number;
}

/** Includes the share of the machine used by other processes. */
export type Turn<Result extends Rate> = Result & { others: number };

/** A measured alternative and its display name. */
export interface Contestant<Result extends Rate> {
  name: string;
  run(seconds: number): Promise<Result>;
}

/**
 * Runs all contestants in alternating turns, round after round, so that interference by other processes affects all of
 * them. Every second round begins at the other end, because the first place has an advantage. The results of each
 * contestant are in the order of the rounds.
 */
export async function takeTurns<Key extends string, Result extends Rate>(
  contestants: Record<Key, Contestant<Result>>,
  { plan, watch, output }: { plan: Plan; watch: Watch; output: Output },
): Promise<Record<Key, Turn<Result>[]>> {
  const entries = Object.entries(contestants) as [Key, Contestant<Result>][];
  const turns = Object.fromEntries(entries.map(([key]) => [key, [] as Turn<Result>[]])) as Record<Key, Turn<Result>[]>;
  if (plan.warmUpSeconds > 0) for (const [, { run }] of entries) await run(plan.warmUpSeconds);
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [key, { name, run }] of round % 2 === 1 ? entries : entries.toReversed()) {
      const { result, others } = await watch.undisturbed(() => run(plan.seconds));
      turns[key].push({ ...result, others });
      output.progress(progressLine(name, result, others));
      await sleep(plan.restSeconds * 1000);
    }
  }
  return turns;
}

function progressLine(name: string, { perSecond, p50Ms, p99Ms }: Rate, others: number): string {
  const latency = !Number.isFinite(p50Ms)
    ? ''.padEnd(33)
    : `p50 ${p50Ms.toFixed(2).padStart(7)} ms   p99 ${p99Ms.toFixed(2).padStart(7)} ms`;
  return `${name.padEnd(60)}${perSecond.toFixed(0).padStart(7)}/s   ${latency}   (others took ${(100 * others).toFixed(0)} %)`;
}

type Measure = 'perSecond' | 'p50Ms' | 'p99Ms';

export function typical<Name extends string>(turns: Record<Name, number>[], name: Name): number {
  return median(turns.map((turn) => turn[name]));
}

/** The median ratio of two contestants over all rounds, comparing turns of the same round. */
export function ratioOf(turns: Rate[], yardstick: Rate[], measure: Measure = 'perSecond'): number {
  return median(turns.map((turn, round) => turn[measure] / yardstick[round]![measure]));
}

export function figuresOf(turns: Turn<Rate>[]) {
  return {
    'per second': rounded(typical(turns, 'perSecond'), 0),
    'p50 ms': knownOrEmpty(typical(turns, 'p50Ms')),
    'p99 ms': knownOrEmpty(typical(turns, 'p99Ms')),
    'others took, %': othersOf(turns),
  };
}

function knownOrEmpty(milliseconds: number): number | string {
  return Number.isNaN(milliseconds) ? '' : rounded(milliseconds, 2);
}

/** The average share of the machine used by other processes; above about 10 %, measure again at a quieter time. */
export function othersOf(turns: { others: number }[]): number {
  return rounded((100 * turns.reduce((sum, { others }) => sum + others, 0)) / turns.length, 0);
}
