import type { BenchOptions } from './benchmark.ts';
import { judged, type Output, rounded } from './figures.ts';
import { lotSkuIds } from './order-shapes.ts';
import { checkOrders, makeOrderTraffic } from './order-traffic.ts';
import { stockUp } from './stock-up.ts';
import { othersOf, ratioOf, takeTurns, typical } from './turns.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const connectionCounts = [1, 64];
const [fewLots, manyLots] = [5, 50_000];
const unitsPerLot = 1000;
const goal = { atLeast: 0.67 };

/** Compares orders for a product with 50,000 lots with orders for a product with five, in alternating turns. */
export async function benchLots(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async (workbench) => {
    const { load, port, seed } = { ...workbench, ...options };
    await storeLots(workbench);
    const traffic = makeOrderTraffic({ name: 'the service', numbersBeginWith: 'L', load, port, seed }, output);
    for (const connections of connectionCounts) {
      const contestants = {
        few: traffic.contestant('5 lots', connections),
        many: traffic.contestant('50000 lots', connections),
      };
      const turns = await takeTurns(contestants, { plan: options.plan, watch: workbench.watch, output });
      output.row('goals: orders for a product with many lots', {
        connections,
        'per second, 5 lots': rounded(typical(turns.few, 'perSecond'), 0),
        'per second, 50,000 lots': rounded(typical(turns.many, 'perSecond'), 0),
        'p50 ms, 5 lots': rounded(typical(turns.few, 'p50Ms'), 2),
        'p50 ms, 50,000 lots': rounded(typical(turns.many, 'p50Ms'), 2),
        'others took, %': othersOf([...turns.few, ...turns.many]),
        ...judged(ratioOf(turns.many, turns.few), goal),
      });
    }
    return { mistakes: await checkOrders(workbench, [traffic], output) };
  });
}

/** The first lot of each product comes through the API, the others are copies of it with movements of their own. */
async function storeLots({ sql, service, accountId }: Workbench): Promise<void> {
  await stockUp(service.url, Object.values(lotSkuIds), ['2090-12-31'], 1_000_000);
  for (const [skuId, lots] of [
    [lotSkuIds['5 lots'], fewLots],
    [lotSkuIds['50000 lots'], manyLots],
  ] as const)
    await sql`
      with added as (
        insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
        select account_id, warehouse_no, product_id, sku_id, 'good', 'B' || n, date '2030-01-01' + n % 1000, ${unitsPerLot}, 0
        from lot cross join generate_series(1, ${lots - 1}::integer) n where account_id = ${accountId} and sku_id = ${skuId}
        returning lot_id)
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      select ${accountId}::bigint, lot_id, 'adjust', ${unitsPerLot}, 0, 'bench', 'prepared' from added`;
  await sql`vacuum analyze lot`;
}
