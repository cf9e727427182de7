import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../faults/resident-memory.ts';
import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Figures, judged, median, type Output, rounded } from './figures.ts';
import { ask } from './load-generator.ts';
import { orderedSkuIds } from './order-shapes.ts';
import { checkOrders } from './order-traffic.ts';
import type { SoakCommand, SoakReport } from './soak-process.ts';
import { plenty, stockUp } from './stock-up.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const callers = 16;
const minutesFull = 60;
const secondsQuick = 5;
const sampleSeconds = 10;
const sampleSecondsQuick = 0.5;
/** The time until memory needed for the load has been released. */
const restSeconds = 30;
const deliveredWithinSeconds = 60;
const goal = { atMost: 1.1 };

/** Runs all kinds of partner requests for an hour and checks that the memory of the service does not grow. */
export async function benchSoak(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const seconds = options.quick ? secondsQuick : (options.minutes ?? minutesFull) * 60;
  const everySeconds = options.quick ? sampleSecondsQuick : sampleSeconds;
  const run = async (workbench: Workbench) => {
    await stockUp(workbench.service.url, orderedSkuIds, ['2099-12-31'], plenty);
    const partners = startPartners();
    try {
      const before = await memoryOf(workbench);
      await partners.send({ kind: 'begin', url: workbench.service.url, callers, seed: options.seed });
      const samples = await takeSamples(workbench, partners, { seconds, everySeconds }, output);
      const { calls, byRequest, orders, wrong, example } = await partners.send({ kind: 'stop' });
      const undelivered = await untilDelivered(workbench.sql);
      const { callbacks } = await partners.send({ kind: 'report' });
      if (!options.quick) await sleep(restSeconds * 1000);
      const after = await memoryOf(workbench);

      for (const what of ['resident', 'heap'] as const) {
        const figures = figuresOf(samples, what, everySeconds);
        const ends = { 'at rest before': rounded(before[what], 0), 'at rest afterwards': rounded(after[what], 0) };
        output.row('goals: memory of the service, MB', {
          memory: what,
          ...ends,
          ...figures.shown,
          ...judged(figures.lastToSecondQuarter, options.quick ? null : goal),
        });
      }
      output.row('mixed load', {
        minutes: rounded(seconds / 60, 1),
        callers,
        calls,
        'calls/s': rounded(calls / seconds, 0),
        orders,
        callbacks,
        wrong,
      });
      for (const [call, sums] of Object.entries(byRequest)) {
        output.row('mixed load, by call', {
          call,
          calls: sums.calls,
          'mean ms': rounded(sums.totalMs / sums.calls, 1),
        });
      }
      const promised = {
        name: 'orders/create',
        numbersBeginWith: 'OUT-',
        acknowledged: orders,
        unanswered: 0,
        wrong: 0,
      };
      return {
        mistakes: [
          ...(await checkOrders(workbench, [promised], output)),
          ...(wrong === 0 ? [] : [`${wrong} calls were not answered as they should be, such as: ${example}`]),
          ...(undelivered === 0 ? [] : [`${undelivered} callbacks have not been delivered`]),
        ],
      };
    } finally {
      partners.stop();
    }
  };
  return await withWorkbench(options, output, run, { env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
}

interface Partners {
  send(command: SoakCommand): Promise<SoakReport>;
  stop(): void;
}

function startPartners(): Partners {
  const child = fork(new URL('./soak-process.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    send: async (command) => (await ask(child, command)) as SoakReport,
    stop: () => void child.kill(),
  };
}

/** Memory in megabytes. */
interface Memory {
  resident: number;
  heap: number;
}

/** The resident memory covers the whole process, the heap only the thread that serves the metrics. */
async function memoryOf({ service }: Workbench): Promise<Memory> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const [, heapBytes] = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? ([\d.e+]+)$/m.exec(metrics) ?? [];
  return { resident: residentMb(service.process.pid!), heap: Number(heapBytes) / 1024 ** 2 };
}

async function takeSamples(
  workbench: Workbench,
  partners: Partners,
  { seconds, everySeconds }: { seconds: number; everySeconds: number },
  output: Output,
): Promise<Memory[]> {
  const samples: Memory[] = [];
  const startedAt = performance.now();
  let callsBefore = 0;
  for (let at = everySeconds; at <= seconds; at += everySeconds) {
    await sleep(Math.max(0, startedAt + at * 1000 - performance.now()));
    const memory = await memoryOf(workbench);
    const { calls, wrong } = await partners.send({ kind: 'report' });
    samples.push(memory);
    const figures: Figures = {
      second: rounded(at, 1),
      'resident MB': rounded(memory.resident, 1),
      'heap MB': rounded(memory.heap, 1),
      'calls/s': rounded((calls - callsBefore) / everySeconds, 0),
      wrong,
    };
    callsBefore = calls;
    output.sample('sample', figures);
    if (samples.length % 6 === 0) output.progress(JSON.stringify(figures));
  }
  return samples;
}

function figuresOf(
  samples: Memory[],
  what: keyof Memory,
  everySeconds: number,
): { shown: Figures; lastToSecondQuarter: number } {
  const values = samples.map((sample) => sample[what]);
  const quarters = [0, 1, 2, 3].map((quarter) =>
    median(values.slice(Math.floor((quarter * values.length) / 4), Math.floor(((quarter + 1) * values.length) / 4))),
  );
  const secondHalf = values.slice(Math.floor(values.length / 2));
  const shown: Figures = Object.fromEntries(
    quarters.map((value, index) => [`quarter ${index + 1}`, rounded(value, 0)]),
  );
  shown['slope of the second half, MB/h'] = rounded(slopeOf(secondHalf) * (3600 / everySeconds), 1);
  return { shown, lastToSecondQuarter: quarters[3]! / quarters[1]! };
}

/** The slope of the linear regression, per value. */
function slopeOf(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const products = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const squares = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return products / squares;
}

/** The number of callbacks that are still pending after a while. */
async function untilDelivered(sql: Sql): Promise<number> {
  for (let second = 0; ; second += 1) {
    const queues = await inEveryAccount(
      sql,
      (own, accountId) =>
        own<{ count: number }[]>`select count(*) from callback_delivery where account_id = ${accountId}`,
    );
    const queued = queues.reduce((sum, { count }) => sum + count, 0);
    if (queued === 0 || second === deliveredWithinSeconds) return queued;
    await sleep(1000);
  }
}
