import type { Sql } from '../server/platform/database.ts';

export interface Balance {
  orders: number;
  /** Orders whose number begins with the service's prefix. */
  ofService: number;
  units: number;
  mistakes: string[];
}

/** Lines, locked units and lock movements agree for every product and lot, and no order exists twice. */
export async function checkBalance(sql: Sql, serviceNumbersBeginWith: string): Promise<Balance> {
  const [orders] = await sql<{ orders: number; numbers: number; of_service: number; without_lines: number }[]>`
    select count(*) as orders, count(distinct partner_number) as numbers,
      count(*) filter (where starts_with(partner_number, ${serviceNumbersBeginWith})) as of_service,
      count(*) filter (where not exists (select from order_line l where l.order_id = o.order_id)) as without_lines
    from orders o`;
  const lots = await sql<{ lot_id: number; on_hand: number; locked: number; moved_on_hand: number; moved_locked: number }[]>`
    select l.lot_id, l.on_hand, l.locked, coalesce(sum(m.on_hand_delta), 0)::bigint as moved_on_hand,
      coalesce(sum(m.locked_delta) filter (where m.kind = 'lock'), 0)::bigint as moved_locked
    from lot l left join movement m using (lot_id)
    group by l.lot_id`;
  const products = await sql<{ product_id: number; ordered: number; locked: number }[]>`
    select product_id, coalesce(ordered, 0)::bigint as ordered, coalesce(locked, 0)::bigint as locked
    from (select product_id, sum(qty) as ordered from order_line group by product_id) line
    full join (select product_id, sum(locked) as locked from lot group by product_id) lot using (product_id)`;

  const { orders: count, numbers, of_service: ofService, without_lines: withoutLines } = orders!;
  const mistakes = [
    ...(count === numbers ? [] : [`${count - numbers} orders exist twice`]),
    ...(withoutLines === 0 ? [] : [`${withoutLines} orders have no lines`]),
    ...lots
      .filter((lot) => lot.locked !== lot.moved_locked || lot.on_hand !== lot.moved_on_hand)
      .map((lot) => `lot ${lot.lot_id}: on hand ${lot.on_hand}, locked ${lot.locked}; moved ${lot.moved_on_hand}, ${lot.moved_locked}`),
    ...products
      .filter(({ ordered, locked }) => ordered !== locked)
      .map(({ product_id, ordered, locked }) => `product ${product_id}: ordered ${ordered}, locked ${locked}`),
  ];
  return { orders: count, ofService, units: products.reduce((sum, { locked }) => sum + locked, 0), mistakes };
}
