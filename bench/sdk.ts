import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import { type LoadResult, startLoadGenerator } from './load-generator.ts';
import { orderedSkuIds } from './order-shapes.ts';
import { checkOrders, makeOrderTraffic } from './order-traffic.ts';
import { plenty, stockUp } from './stock-up.ts';
import { othersOf, ratioOf, type Turn, takeTurns, typical } from './turns.ts';
import { withWorkbench } from './workbench.ts';

/**
 * Measures the cost of the SDK: orders with two lines, 64 at a time and one by one, compared with the bare sockets of
 * the other benchmarks.
 */
export async function benchSdk(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async (workbench) => {
    const { port, watch, load } = workbench;
    const sdkLoad = startLoadGenerator('sdk');
    try {
      await stockUp(workbench.service.url, orderedSkuIds, ['2099-12-31'], plenty);
      const sdk = makeOrderTraffic(
        { name: 'the SDK', numbersBeginWith: 'K', load: sdkLoad, port, seed: options.seed },
        output,
      );
      const sockets = makeOrderTraffic(
        { name: 'bare sockets', numbersBeginWith: 'S', load, port, seed: options.seed },
        output,
      );
      for (const connections of [64, 1]) {
        const contestants = {
          sdk: sdk.contestant('spread', connections),
          sockets: sockets.contestant('spread', connections),
        };
        const turns = await takeTurns(contestants, { plan: options.plan, watch, output });
        output.row('orders of two lines, through the SDK and by bare sockets', figuresOf(connections, turns));
      }
      return { mistakes: await checkOrders(workbench, [sdk, sockets], output) };
    } finally {
      sdkLoad.stop();
    }
  });
}

function figuresOf(connections: number, { sdk, sockets }: Record<'sdk' | 'sockets', Turn<LoadResult>[]>) {
  return {
    'at a time': connections,
    'sdk/s': rounded(typical(sdk, 'perSecond'), 0),
    'sockets/s': rounded(typical(sockets, 'perSecond'), 0),
    ratio: rounded(ratioOf(sdk, sockets), 2),
    'sdk p50 ms': rounded(typical(sdk, 'p50Ms'), 2),
    'sockets p50 ms': rounded(typical(sockets, 'p50Ms'), 2),
    'cpu of the sdk, %': rounded(100 * typical(sdk, 'cpuShare'), 0),
    'cpu of the sockets, %': rounded(100 * typical(sockets, 'cpuShare'), 0),
    'others took, %': othersOf([...sdk, ...sockets]),
  };
}
