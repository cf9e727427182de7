import type { BenchOptions } from './benchmark.ts';
import type { Output } from './figures.ts';
import { type Contest, type Entrant, withContest } from './side-by-side/contest.ts';

const units = 20;
const buyers = 64;
/** A shop has at most two ways to order. */
const waysMax = 2;
const roundsMax = 2;
const plenty = 1_000_000;
const warmUpSku = 'WARM';
const warmUpBuyers = 4;

/**
 * More buyers than units, all at once, on a sku that nobody has ordered before: how many units are sold? The orders are
 * read back from the database of each contestant.
 */
export async function benchOversell(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const rushSkus = Array.from({ length: waysMax * roundsMax }, (_, index) => ({ skuId: `RUSH-${index}`, qty: units }));
  const oversold: string[] = [];
  const { mistakes } = await withContest(
    [{ skuId: warmUpSku, qty: plenty }, ...rushSkus],
    options,
    output,
    async (contest) => {
      for (const entrant of contest.entrants) {
        const first = roundsMax * entrant.shop.ways.indexOf(entrant.way);
        const skuIds = rushSkus.slice(first, first + (options.quick ? 1 : roundsMax)).map(({ skuId }) => skuId);
        const sold = await rush(contest, entrant, skuIds, output);
        if (entrant === contest.entrants[0] && sold !== units * skuIds.length)
          oversold.push(`Lading sold ${sold} of ${units * skuIds.length} units`);
      }
    },
  );
  return { mistakes: [...mistakes, ...oversold] };
}

/** Returns the units in placed orders. */
async function rush(contest: Contest, entrant: Entrant, skuIds: string[], output: Output): Promise<number> {
  await contest.buy(entrant, [warmUpSku], warmUpBuyers, null);
  const totals = { accepted: 0, refused: 0, failed: 0 };
  let slowestMs = 0;
  for (const skuId of skuIds) {
    const startedAt = performance.now();
    const result = await contest.buy(entrant, [skuId], buyers, null);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    for (const count of ['accepted', 'refused', 'failed'] as const) totals[count] += result[count];
  }
  const stock = units * skuIds.length;
  const sold = await entrant.shop.countSold(skuIds);
  const figures = {
    contestant: entrant.name,
    rounds: skuIds.length,
    'units in stock': stock,
    buyers: buyers * skuIds.length,
    accepted: totals.accepted,
    'refused for lack of stock': totals.refused,
    'other errors': totals.failed,
    'units in placed orders': sold,
    'sold beyond the stock': Math.max(0, sold - stock),
    'left unsold': Math.max(0, stock - sold),
    'seconds of the longest round': Number((slowestMs / 1000).toFixed(1)),
  };
  output.progress(JSON.stringify(figures));
  output.row(`${buyers} buyers at once for ${units} units of a sku`, figures);
  return sold;
}
