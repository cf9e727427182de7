import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import { type Contest, type Entrant, withContest } from './side-by-side/contest.ts';

const units = 20;
const buyers = 64;
/** A shop has at most two ways to order; each buys a sku of its own. */
const rushSkuIds = ['RUSH-0', 'RUSH-1'];
const plenty = 1_000_000;
const warmUpSkuId = 'WARM';
const warmUpBuyers = 4;

/**
 * More buyers than units, all at once, on a sku that nobody has ordered before: how many units are sold? The orders are
 * read back from the database of each contestant.
 */
export async function benchOversell(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const skus = [{ skuId: warmUpSkuId, qty: plenty }, ...rushSkuIds.map((skuId) => ({ skuId, qty: units }))];
  const wrong: string[] = [];
  const { mistakes } = await withContest(skus, options, output, async (contest) => {
    for (const entrant of contest.entrants) {
      const sold = await rush(contest, entrant, output);
      if (entrant === contest.entrants[0] && sold !== units) wrong.push(`Lading sold ${sold} of ${units} units`);
    }
  });
  return { mistakes: [...mistakes, ...wrong] };
}

/** Returns the units in placed orders. */
async function rush(contest: Contest, entrant: Entrant, output: Output): Promise<number> {
  await contest.buy(entrant, [warmUpSkuId], warmUpBuyers, null);
  const skuId = rushSkuIds[entrant.shop.ways.indexOf(entrant.way)]!;
  const startedAt = performance.now();
  const { accepted, refused, failed, requestsPerOrder } = await contest.buy(entrant, [skuId], buyers, null);
  const seconds = (performance.now() - startedAt) / 1000;
  const sold = await entrant.shop.countSold([skuId]);
  const figures = {
    contestant: entrant.name,
    'requests per order': rounded(requestsPerOrder, 1),
    accepted,
    'refused for lack of stock': refused,
    'other errors': failed,
    'units in placed orders': sold,
    'sold beyond the stock': Math.max(0, sold - units),
    'left unsold': Math.max(0, units - sold),
    'seconds until all have an answer': rounded(seconds, 2),
  };
  output.progress(JSON.stringify(figures));
  output.row(`${buyers} buyers at once for ${units} units of a sku`, figures);
  return sold;
}
