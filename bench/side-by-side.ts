import type { BenchOptions, Plan } from './benchmark.ts';
import { median, type Output, rounded } from './figures.ts';
import { type Shape, shapes, spreadSkus } from './order-shapes.ts';
import { watchOthers } from './others.ts';
import { type Contest, type ContestResult, type Entrant, withContest } from './side-by-side/contest.ts';
import { type Contestant, figuresOf, ratioOf, type Turn, takeTurns, typical } from './turns.ts';

/** More connections than the last do not make Vendure and Medusa faster: their one thread is busy. */
const commonConnections = [1, 4];
const comparedConnections = 4;
const ladingConnections = [1, 4, 64];
/** Enough for any run, and not more than the integer in which Vendure stores it. */
const plenty = 100_000_000;
/** The contestants differ so much that few rounds show it. What the first shape has warmed up stays warm. */
const plans: Record<Shape, Partial<Plan>> = {
  spread: { patienceSeconds: 60, rounds: 3, seconds: 3 },
  hot: { patienceSeconds: 60, rounds: 3, seconds: 3, warmUpSeconds: 0 },
};

const skuIdsOf: Record<Shape, string[]> = {
  spread: Array.from({ length: spreadSkus }, (_, index) => `SPREAD-${index}`),
  hot: ['HOT'],
};

/**
 * Makes the same orders, of one unit each, in Lading, Vendure and Medusa, each through its own HTTP API. All run side by
 * side on databases of their own, and take turns.
 */
export async function benchSideBySide(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const skus = Object.values(skuIdsOf)
    .flat()
    .map((skuId) => ({ skuId, qty: plenty }));
  return await withContest(skus, options, output, async (contest) => {
    for (const shape of shapes) await measure(contest, shape, options, output);
  });
}

interface Line {
  entrant: Entrant;
  connections: number;
}

async function measure(contest: Contest, shape: Shape, { quick, plan }: BenchOptions, output: Output): Promise<void> {
  const lines = contest.entrants.flatMap((entrant) =>
    connectionsOf(entrant, shape, quick).map((connections) => ({ entrant, connections })),
  );
  const contestants: Record<string, Contestant<ContestResult>> = Object.fromEntries(
    lines.map(({ entrant, connections }) => [
      keyOf({ entrant, connections }),
      {
        name: `${entrant.name}, ${shape}, ${connections} connections`,
        run: (seconds: number) => contest.buy(entrant, skuIdsOf[shape], connections, seconds),
      },
    ]),
  );
  const own = quick ? plan : { ...plan, ...plans[shape] };
  const turns = await takeTurns(contestants, { plan: own, watch: watchOthers(own.patienceSeconds), output });
  for (const line of lines) reportLine(shape, line, turns[keyOf(line)]!, output);
  reportRatios(shape, lines, turns, output);
}

/** The hot sku shows how buyers wait for each other, so it is bought by several, and in the usual way. */
function connectionsOf({ shop, way }: Entrant, shape: Shape, quick: boolean): number[] {
  if (quick) return [comparedConnections];
  if (way.name !== '') return shape === 'spread' ? [comparedConnections] : [];
  const all = shop.name === 'Lading' ? ladingConnections : commonConnections;
  return shape === 'spread' ? all : all.filter((connections) => connections > 1);
}

function keyOf({ entrant, connections }: Line): string {
  return `${entrant.name} at ${connections}`;
}

type Turns = Turn<ContestResult>[];

function reportLine(shape: Shape, { entrant, connections }: Line, turns: Turns, output: Output): void {
  const { 'per second': _, ...latency } = figuresOf(turns);
  output.row('orders per second', {
    shape,
    contestant: entrant.name,
    connections,
    'requests per order': rounded(typical(turns, 'requestsPerOrder'), 1),
    'per second': rounded(typical(turns, 'perSecond'), 1),
    ...latency,
    'cpu of the service, ms per order': rounded(typical(turns, 'serviceMs'), 2),
    'cpu of PostgreSQL, ms per order': rounded(typical(turns, 'databaseMs'), 2),
    'cpu of the load, %': rounded(100 * typical(turns, 'cpuShare'), 0),
    errors: turns.reduce((sum, { refused, failed }) => sum + refused + failed, 0),
  });
}

function reportRatios(shape: Shape, lines: Line[], turns: Record<string, Turns>, output: Output): void {
  const [lading, ...others] = lines.filter(({ connections }) => connections === comparedConnections);
  const own = turns[keyOf(lading!)]!;
  for (const other of others) {
    const its = turns[keyOf(other)]!;
    output.row(`orders of Lading divided by those of another, ${comparedConnections} connections each`, {
      shape,
      'Lading, per second': rounded(typical(own, 'perSecond'), 0),
      beside: other.entrant.name,
      'its per second': rounded(typical(its, 'perSecond'), 1),
      ratio: rounded(ratioOf(own, its), 0),
      'cpu time per order, divided by that of Lading': rounded(cpuOf(its) / cpuOf(own), 0),
    });
  }
}

function cpuOf(turns: Turns): number {
  return median(turns.map(({ serviceMs, databaseMs }) => serviceMs + databaseMs));
}
