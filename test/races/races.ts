import assert from 'node:assert/strict';
import type { TestApp } from '../support/app.ts';

/** A few rounds with every `npm test`; LADING_RACE_ROUNDS=full, or a number, asks for more. */
export function roundsOf({ usual, full }: { usual: number; full: number }): number {
  const wanted = process.env.LADING_RACE_ROUNDS;
  if (wanted === undefined) return usual;
  return wanted === 'full' ? full : Number(wanted);
}

/** Runs the rounds of a race one after the other, numbered from 1. */
export async function eachRound(rounds: number, work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= rounds; round++) await work(round);
}

export function listOf<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

export function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

export function upTo(max: number): number {
  return 1 + Math.floor(Math.random() * max);
}

export function some<T>(make: () => T, max: number): T[] {
  return listOf(upTo(max), make);
}

export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** All operations lock rows in one order, so no race of the file may have ended in a deadlock. */
export async function assertNoDeadlocks({ store }: TestApp): Promise<void> {
  const [row] = await store.database.read(
    (sql) => sql<[{ deadlocks: number }]>`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(row.deadlocks, 0, 'all operations lock in one order');
}
