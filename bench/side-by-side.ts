import { makeRandom } from '../faults/random.ts';
import type { BenchOptions, Plan } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import { type Shape, shapes, spreadSkus } from './order-shapes.ts';
import { watchOthers } from './others.ts';
import { type Buyers, type BuyersResult, startBuyers } from './side-by-side/buyers.ts';
import { openLadingShop } from './side-by-side/lading-shop.ts';
import { openMedusaShop } from './side-by-side/medusa-shop.ts';
import { whatIsMissing } from './side-by-side/others.ts';
import type { Shop, StockedSku, Way } from './side-by-side/shop.ts';
import { openVendureShop } from './side-by-side/vendure-shop.ts';
import { type Contestant, figuresOf, ratioOf, type Turn, takeTurns, typical } from './turns.ts';

const connectionCounts = [1, 16];
/** Lading gets faster up to here; the others do not (they were measured with 64 as well). */
const ladingConnectionCounts = [1, 16, 64];
const comparedConnections = 16;
/** Enough for any run, and not more than the integer in which Vendure stores it. */
const plenty = 100_000_000;
const rush = { units: 20, buyers: 64, rounds: 5 };
const sideBySideRounds = 3;

const spreadSkuIds = Array.from({ length: spreadSkus }, (_, index) => `SPREAD-${index}`);
const skuIdsOf: Record<Shape, string[]> = { spread: spreadSkuIds, hot: ['HOT'] };
const waysMax = 2;
const rushSkuIds = Array.from({ length: waysMax * rush.rounds }, (_, index) => `RUSH-${index}`);
const skus: StockedSku[] = [
  ...Object.values(skuIdsOf)
    .flat()
    .map((skuId) => ({ skuId, qty: plenty })),
  ...rushSkuIds.map((skuId) => ({ skuId, qty: rush.units })),
];

/**
 * Makes the same orders in Lading, Vendure and Medusa, each through its own HTTP API. All run side by side on databases
 * of their own, and take turns.
 */
export async function benchSideBySide(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const missing = whatIsMissing(options.others);
  if (missing !== null) {
    output.row('side by side', { skipped: missing });
    return { mistakes: [] };
  }
  await using cleanup = new AsyncDisposableStack();
  const buyers = startBuyers();
  cleanup.defer(() => buyers.stop());
  const bench = new Bench(options, output, buyers);
  await bench.open(() => openLadingShop(skus, cleanup));
  await bench.open(() => openVendureShop(options.others!, skus, cleanup));
  await bench.open(() => openMedusaShop(options.others!, skus, cleanup));
  bench.describe();
  for (const shape of shapes) await bench.measure(shape);
  await bench.oversell();
  return { mistakes: await bench.check() };
}

/** A way to order in a shop, with the orders that it made. */
interface Entrant {
  name: string;
  shop: Shop;
  way: Way;
  slices: number;
}

class Bench {
  private readonly options: BenchOptions;
  private readonly output: Output;
  private readonly plan: Plan;
  private readonly buyers: Buyers;
  private readonly shops: Shop[];
  private readonly entrants: Entrant[];
  private readonly random: ReturnType<typeof makeRandom>;
  private readonly accepted: Map<Shop, number>;
  private readonly failed: Map<Shop, { count: number; example: string }>;

  constructor(options: BenchOptions, output: Output, buyers: Buyers) {
    this.options = options;
    this.output = output;
    this.plan = { ...options.plan, rounds: Math.min(options.plan.rounds, sideBySideRounds) };
    this.buyers = buyers;
    this.shops = [];
    this.entrants = [];
    this.random = makeRandom(options.seed);
    this.accepted = new Map();
    this.failed = new Map();
  }

  async open(openShop: () => Promise<Shop>): Promise<void> {
    const startedAt = performance.now();
    const shop = await openShop();
    this.output.progress(`${shop.name} is ready after ${rounded((performance.now() - startedAt) / 1000, 0)} s`);
    this.shops.push(shop);
    for (const way of shop.ways)
      this.entrants.push({ name: way.name === '' ? shop.name : `${shop.name}, ${way.name}`, shop, way, slices: 0 });
  }

  describe(): void {
    for (const { name, version, settings } of this.shops)
      this.output.row('contestants', { name, version, ...settings });
  }

  async measure(shape: Shape): Promise<void> {
    const { plan, output } = this;
    const lines = this.entrants.flatMap((entrant) =>
      this.connectionsOf(entrant).map((connections) => ({ entrant, connections })),
    );
    const contestants: Record<string, Contestant<BuyersResult>> = Object.fromEntries(
      lines.map(({ entrant, connections }) => [
        keyOf(entrant, connections),
        {
          name: `${entrant.name}, ${shape}, ${connections} connections`,
          run: (seconds: number) => this.buy(entrant, skuIdsOf[shape], connections, seconds),
        },
      ]),
    );
    const turns = await takeTurns(contestants, { plan, watch: watchOthers(plan.patienceSeconds), output });
    for (const { entrant, connections } of lines)
      reportLine({ shape, entrant, connections }, turns[keyOf(entrant, connections)]!, output);
    this.reportRatios(shape, turns);
  }

  private connectionsOf({ shop }: Entrant): number[] {
    if (this.options.quick) return [comparedConnections];
    return shop === this.shops[0] ? ladingConnectionCounts : connectionCounts;
  }

  private reportRatios(shape: Shape, turns: Record<string, Turn<BuyersResult>[]>): void {
    const [lading, ...rest] = this.entrants;
    const own = turns[keyOf(lading!, comparedConnections)]!;
    for (const entrant of rest) {
      const its = turns[keyOf(entrant, comparedConnections)]!;
      this.output.row(`orders of Lading divided by those of another, ${comparedConnections} connections`, {
        shape,
        'Lading, per second': rounded(typical(own, 'perSecond'), 0),
        beside: entrant.name,
        'its per second': rounded(typical(its, 'perSecond'), 1),
        ratio: rounded(ratioOf(own, its), 1),
      });
    }
  }

  /** More buyers than units, all at once, on a sku that nobody has bought before. */
  async oversell(): Promise<void> {
    const rounds = this.options.quick ? 1 : rush.rounds;
    for (const entrant of this.entrants) {
      const first = rush.rounds * entrant.shop.ways.indexOf(entrant.way);
      const own = rushSkuIds.slice(first, first + rounds);
      const results: BuyersResult[] = [];
      for (const skuId of own) results.push(await this.buy(entrant, [skuId], rush.buyers, null));
      const sold = await entrant.shop.countSold(own);
      const sum = (count: 'accepted' | 'refused' | 'failed') => results.reduce((total, one) => total + one[count], 0);
      const units = rush.units * rounds;
      this.output.row(`${rush.buyers} buyers at once for ${rush.units} units of a sku, ${rounds} times, added up`, {
        contestant: entrant.name,
        'units in stock': units,
        'orders accepted': sum('accepted'),
        'refused for lack of stock': sum('refused'),
        'other errors': sum('failed'),
        'units in placed orders': sold,
        'sold beyond the stock': Math.max(0, sold - units),
        'left unsold': Math.max(0, units - sold),
      });
      const example = results.find((one) => one.example !== '')?.example;
      if (example) this.output.progress(`  an error of ${entrant.name}: ${example}`);
    }
  }

  private async buy(
    entrant: Entrant,
    skuIds: string[],
    connections: number,
    seconds: number | null,
  ): Promise<BuyersResult> {
    const { shop, way } = entrant;
    const recipe = way.recipe(`${entrant.name}-${++entrant.slices}-`);
    const seed = this.random.upTo(2 ** 31);
    const result = await this.buyers.run({ port: shop.port, recipe, buyers: connections, skuIds, seconds, seed });
    this.accepted.set(shop, (this.accepted.get(shop) ?? 0) + result.accepted);
    // A failed order may exist: its last response may be what failed.
    const before = this.failed.get(shop) ?? { count: 0, example: '' };
    this.failed.set(shop, { count: before.count + result.failed, example: before.example || result.example });
    return result;
  }

  /** The acknowledged orders exist, and Lading has neither errors nor sold too much. Others may have errors. */
  async check(): Promise<string[]> {
    const mistakes: string[] = [];
    for (const shop of this.shops) {
      const accepted = this.accepted.get(shop) ?? 0;
      const failed = this.failed.get(shop)!;
      const orders = await shop.countOrders();
      this.output.row('correctness', {
        'orders by': shop.name,
        acknowledged: accepted,
        'in the table': orders,
        'other errors': failed.count,
      });
      if (orders < accepted || orders > accepted + failed.count)
        mistakes.push(`${shop.name}: ${accepted} orders were acknowledged, ${orders} exist; ${shop.log()}`);
      if (failed.count > 0) this.output.progress(`  the first error of ${shop.name}: ${failed.example}`);
    }
    const lading = this.shops[0]!;
    if (this.failed.get(lading)!.count > 0) mistakes.push(`Lading: ${this.failed.get(lading)!.example}`);
    for (const skuId of rushSkuIds)
      if ((await lading.countSold([skuId])) > rush.units) mistakes.push(`Lading sold too many units of ${skuId}`);
    return mistakes;
  }
}

function keyOf({ name }: Entrant, connections: number): string {
  return `${name} at ${connections}`;
}

function reportLine(
  { shape, entrant, connections }: { shape: Shape; entrant: Entrant; connections: number },
  turns: Turn<BuyersResult>[],
  output: Output,
): void {
  const sum = (count: 'refused' | 'failed') => turns.reduce((total, turn) => total + turn[count], 0);
  const { 'per second': _, ...figures } = figuresOf(turns);
  output.row('whole orders', {
    shape,
    contestant: entrant.name,
    'requests per order': rounded(typical(turns, 'requestsPerOrder'), 1),
    connections,
    'orders per second': rounded(typical(turns, 'perSecond'), 1),
    ...figures,
    'cpu of the load, %': rounded(100 * typical(turns, 'cpuShare'), 0),
    errors: sum('refused') + sum('failed'),
  });
}
