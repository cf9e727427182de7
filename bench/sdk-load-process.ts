/** A separate process that sends a number of concurrent requests through the SDK without pauses. */
import { faultWarehouse } from '../faults/child-process.ts';
import { makeRandom } from '../faults/random.ts';
import { LadingError } from '../sdk/client.ts';
import { answerLoadCommands } from './load-commands.ts';
import type { LoadReport, LoadSlice, Requests } from './load-generator.ts';
import { orderBody } from './order-shapes.ts';

answerLoadCommands(async (slice) => {
  const { requests } = slice;
  if (requests.kind !== 'orders') throw new Error('the SDK makes orders only');
  return () => work(slice, requests);
});

/**
 * Runs until the end of the period or until all numbers are used; orders are built when they are sent, as partners do.
 */
async function work(
  slice: LoadSlice,
  { shape, numbersBeginWith, seed }: Extract<Requests, { kind: 'orders' }>,
): Promise<LoadReport> {
  const warehouse = faultWarehouse({ url: `http://127.0.0.1:${slice.port}` });
  const random = makeRandom(seed);
  const latencies: number[] = [];
  const result = { acknowledged: 0, wrong: 0, unanswered: 0, example: '' };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + slice.seconds * 1000;
  let lastInTime = startedAt;
  let sent = 0;

  async function call(): Promise<void> {
    for (;;) {
      const askedAt = performance.now();
      if (askedAt >= endsAt || sent === slice.requestsMax) return;
      const isRight = await create(orderBody(shape, `${numbersBeginWith}${sent++}`, random));
      const now = performance.now();
      if (now > endsAt || !isRight) continue;
      latencies.push(now - askedAt);
      lastInTime = now;
    }
  }

  async function create(body: ReturnType<typeof orderBody>): Promise<boolean> {
    try {
      const { idempotent } = await warehouse.outboundCreate(body);
      if (idempotent) note(`${body.outbound_short_id} was known`);
      else result.acknowledged += 1;
      return !idempotent;
    } catch (error) {
      if (error instanceof LadingError && error.status === null) result.unanswered += 1;
      else note(String(error));
      return false;
    }
  }

  function note(example: string): void {
    result.wrong += 1;
    result.example ||= example;
  }

  await Promise.all(Array.from({ length: slice.connections }, call));
  const ranOut = sent === slice.requestsMax;
  const seconds = ranOut ? (lastInTime - startedAt) / 1000 : slice.seconds;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    ...result,
    rightInTime: latencies.length,
    seconds,
    latenciesMs: Float64Array.from(latencies).sort(),
    ranOut,
    cpuShare: (user + system) / 1e6 / seconds,
  };
}
