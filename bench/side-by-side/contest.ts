import { makeRandom } from '../../faults/random.ts';
import type { BenchOptions } from '../benchmark.ts';
import { type Output, rounded } from '../figures.ts';
import { type Buyers, type BuyersResult, startBuyers } from './buyers.ts';
import { type CpuTime, cpuTimeOf, perOrder } from './cpu-time.ts';
import { openLadingShop } from './lading-shop.ts';
import { openMedusaShop } from './medusa-shop.ts';
import { whatIsMissing } from './other-products.ts';
import type { Shop, StockedSku, Way } from './shop.ts';
import { openVendureShop } from './vendure-shop.ts';

/** A way to order in a shop, with the orders made in this way. */
export interface Entrant {
  name: string;
  shop: Shop;
  way: Way;
  slices: number;
  accepted: number;
  failed: number;
  /** The first failure. */
  example: string;
}

/** With the processor time per order. */
export type ContestResult = BuyersResult & CpuTime;

/**
 * Lading, Vendure and Medusa run side by side, each with the same products and stock in a PostgreSQL of its own. Without
 * the other two, it says what to install.
 */
export async function withContest(
  skus: StockedSku[],
  options: BenchOptions,
  output: Output,
  work: (contest: Contest) => Promise<void>,
): Promise<{ mistakes: string[] }> {
  const missing = whatIsMissing(options.others);
  if (missing !== null) {
    output.row('skipped', { because: missing });
    return { mistakes: [] };
  }
  await using cleanup = new AsyncDisposableStack();
  const buyers = startBuyers();
  cleanup.defer(() => buyers.stop());
  const contest = new Contest(options, output, buyers);
  await contest.add(() => openLadingShop(skus, cleanup));
  await contest.add(() => openVendureShop(options.others!, skus, cleanup));
  await contest.add(() => openMedusaShop(options.others!, skus, cleanup));
  await work(contest);
  return { mistakes: await contest.check() };
}

export class Contest {
  /** Lading is the first. */
  readonly entrants: Entrant[];
  private readonly output: Output;
  private readonly buyers: Buyers;
  private readonly random: ReturnType<typeof makeRandom>;

  constructor({ seed }: BenchOptions, output: Output, buyers: Buyers) {
    this.entrants = [];
    this.output = output;
    this.buyers = buyers;
    this.random = makeRandom(seed);
  }

  async add(openShop: () => Promise<Shop>): Promise<void> {
    const startedAt = performance.now();
    const shop = await openShop();
    this.output.progress(`${shop.name} is ready after ${rounded((performance.now() - startedAt) / 1000, 0)} s`);
    this.output.row('contestants', { name: shop.name, version: shop.version, ...shop.settings });
    const none = { slices: 0, accepted: 0, failed: 0, example: '' };
    for (const way of shop.ways)
      this.entrants.push({ name: way.name === '' ? shop.name : `${shop.name}, ${way.name}`, shop, way, ...none });
  }

  /** `seconds`: null if every buyer orders once. */
  async buy(entrant: Entrant, skuIds: string[], buyers: number, seconds: number | null): Promise<ContestResult> {
    const recipe = entrant.way.recipe(`${entrant.name}-${++entrant.slices}-`);
    const { port, processes } = entrant.shop;
    const before = cpuTimeOf(processes);
    const result = await this.buyers.run({ port, recipe, buyers, skuIds, seconds, seed: this.random.upTo(2 ** 31) });
    const cpu = perOrder(before, cpuTimeOf(processes), result.accepted);
    entrant.accepted += result.accepted;
    entrant.failed += result.failed;
    if (entrant.example === '' && result.example !== '') {
      entrant.example = result.example;
      this.output.progress(`  the first error of ${entrant.name}: ${result.example}`);
    }
    return { ...result, ...cpu };
  }

  /** All acknowledged orders exist, and no others except failed ones, and Lading has no errors. */
  async check(): Promise<string[]> {
    const mistakes: string[] = [];
    for (const [shop, entrants] of Map.groupBy(this.entrants, (entrant) => entrant.shop)) {
      const accepted = entrants.reduce((sum, entrant) => sum + entrant.accepted, 0);
      const failed = entrants.reduce((sum, entrant) => sum + entrant.failed, 0);
      const orders = await shop.countOrders();
      this.output.row('correctness', {
        'orders by': shop.name,
        acknowledged: accepted,
        'in the table': orders,
        errors: failed,
      });
      // The order of a request that failed may exist.
      if (orders < accepted || orders > accepted + failed)
        mistakes.push(`${shop.name}: ${accepted} orders were acknowledged, and ${orders} exist:\n${shop.log()}`);
    }
    const { failed, example } = this.entrants[0]!;
    if (failed > 0) mistakes.push(`Lading had ${failed} errors, such as ${example}`);
    return mistakes;
  }
}
