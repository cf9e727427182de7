import type { BenchOptions } from './benchmark.ts';
import { judged, type Output, rounded } from './figures.ts';
import { orderedSkuIds, shapes } from './order-shapes.ts';
import { findMissingOrders, makeOrderTraffic } from './order-traffic.ts';
import { plenty, stockUp } from './stock-up.ts';
import { othersOf, type Rate, ratioOf, takeTurns, typical } from './turns.ts';
import type { Workbench } from './workbench.ts';

const connections = 64;
const besideGoal = { atLeast: 0.95 };

/** The work of a job beside orders, as long as it is not stopped. The service itself must not run the job. */
interface BesideWork {
  /** A word for its work, such as `filling`. */
  doing: string;
  numbersBeginWith: string;
  /** Returns the number of documents that it has worked on. */
  run(database: Workbench['database'], stopping: AbortSignal): Promise<number>;
}

/** Orders per second while a job works on documents, and while it does nothing. */
export async function compareBeside(
  workbench: Workbench,
  { doing, numbersBeginWith, run }: BesideWork,
  options: BenchOptions,
  output: Output,
): Promise<string[]> {
  const { service, database, load, port, watch } = workbench;
  const { plan, seed } = options;
  await stockUp(service.url, orderedSkuIds, ['2099-12-31'], plenty);
  const traffic = makeOrderTraffic({ name: 'orders', numbersBeginWith, load, port, seed }, output);
  const [shape] = shapes;
  const alone = traffic.contestant(shape!, connections);
  const beside = {
    ...alone,
    name: `${alone.name}, ${doing}`,
    async run(seconds: number): Promise<Rate> {
      const stopping = new AbortController();
      const documents = run(database, stopping.signal);
      const result = await alone.run(seconds);
      stopping.abort();
      output.progress(`${doing}: ${await documents} documents meanwhile`);
      return result;
    },
  };
  const turns = await takeTurns<'alone' | 'beside', Rate>({ alone, beside }, { plan, watch, output });
  output.row(`goals: orders per second, ${doing} meanwhile, ${connections} connections`, {
    shape: shape!,
    'per second': rounded(typical(turns.beside, 'perSecond'), 0),
    [`without ${doing}`]: rounded(typical(turns.alone, 'perSecond'), 0),
    'others took, %': othersOf([...turns.alone, ...turns.beside]),
    ...judged(ratioOf(turns.beside, turns.alone), besideGoal),
  });
  // Not the whole audit: the stored orders of the office have no movements.
  return await findMissingOrders(workbench, [traffic], output);
}
