/** A separate process that creates orders in one transaction each, without HTTP, as a baseline for the service. */
import { makeRandom } from '../faults/random.ts';
import type { EmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { quantile } from './figures.ts';
import { connectYardstick, createOrder } from './one-transaction-per-order.ts';
import { type Shape, skuIdsOf } from './order-shapes.ts';
import type { Rate } from './turns.ts';

export interface OneByOneSlice {
  target: EmbeddedPostgres['connection'];
  accountId: number;
  shape: Shape;
  connections: number;
  seconds: number;
  numbersBeginWith: string;
  seed: number;
}

export type OneByOneResult = Rate & { committed: number };

process.on('message', async (slice: OneByOneSlice) => process.send!(await work(slice)));
process.on('disconnect', () => process.exit());

/** Uses a number of connections, each creating its next order immediately after a commit. */
async function work({
  target,
  accountId,
  shape,
  connections,
  seconds,
  numbersBeginWith,
  seed,
}: OneByOneSlice): Promise<OneByOneResult> {
  const sql = connectYardstick(target, connections);
  await Promise.all(Array.from({ length: connections }, () => sql`select 1`));
  const random = makeRandom(seed);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let committed = 0;

  async function worker(name: number): Promise<void> {
    for (let count = 0; performance.now() < endsAt; count++) {
      const order = { number: `${numbersBeginWith}${name}-${count}`, skuIds: skuIdsOf(shape, random) };
      const beganAt = performance.now();
      await createOrder(sql, accountId, order);
      committed += 1;
      if (performance.now() <= endsAt) latencies.push(performance.now() - beganAt);
    }
  }

  await Promise.all(Array.from({ length: connections }, (_, name) => worker(name)));
  await sql.end({ timeout: 5 });
  const sorted = Float64Array.from(latencies).sort();
  return { perSecond: sorted.length / seconds, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), committed };
}
