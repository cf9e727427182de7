import type { BenchOptions } from './benchmark.ts';
import { applyForConsole, type ComparedCall, compareCalls, keepJobsFromRunning, openSide } from './console-calls.ts';
import type { Output } from './figures.ts';
import { storeOfficeData } from './office-data.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const fewOrders = 5000;
/** Another number of orders with --orders. */
const manyOrdersOf = { quick: 50_000, full: 5_000_000 };
const goal = { atMost: 1.5 };

/** A service with few orders, and one with many. */
export interface FewAndMany {
  few: Workbench;
  many: Workbench;
  /** The stored orders of the second one. */
  manyOrders: number;
}

/** Returns the mistakes found. */
export type OfficeMeasurement = (sides: FewAndMany, options: BenchOptions, output: Output) => Promise<string[]>;

/** Measures on few and on many orders of the office. */
export async function withFewAndMany(
  measure: OfficeMeasurement,
  options: BenchOptions,
  output: Output,
): Promise<{ mistakes: string[] }> {
  const manyOrders = options.orders ?? (options.quick ? manyOrdersOf.quick : manyOrdersOf.full);
  const onBoth = async (few: Workbench) =>
    await withWorkbench(options, output, async (many) => {
      await storeForOffice(few, fewOrders, output);
      await storeForOffice(many, manyOrders, output);
      return { mistakes: await measure({ few, many, manyOrders }, options, output) };
    });
  return await withWorkbench(options, output, onBoth);
}

export async function storeForOffice(workbench: Workbench, orders: number, output: Output): Promise<void> {
  const { sql, accountId } = workbench;
  await applyForConsole(workbench, []);
  await keepJobsFromRunning(workbench);
  const startedAt = performance.now();
  await storeOfficeData(sql, { accountId, numbersBeginWith: 'B-', orders }, (line) =>
    output.progress(`stored ${line}`),
  );
  await sql`vacuum analyze`;
  output.row('storing', { orders, seconds: Math.round((performance.now() - startedAt) / 1000) });
}

/** Two services get the same calls alternately. */
export async function compareOnBoth(
  { few, many, manyOrders }: FewAndMany,
  calls: Omit<ComparedCall, 'goal'>[],
  options: BenchOptions,
  output: Output,
): Promise<string[]> {
  const sides = [await openSide(few, fewOrders), await openSide(many, manyOrders)] as const;
  const mistakes: string[] = [];
  for (const call of calls) mistakes.push(...(await compareCalls(sides, { ...call, goal }, options, output)));
  for (const { close } of sides) close();
  return mistakes;
}
