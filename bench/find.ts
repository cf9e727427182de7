import { fillSearch } from '../server/domain/search/fill-search.ts';
import { partLengthMax, partLengthMin } from '../server/domain/search/search-term.ts';
import type { BenchOptions } from './benchmark.ts';
import { compareBeside } from './beside-orders.ts';
import { applyForConsole } from './console-calls.ts';
import { compareOnBoth, type OfficeMeasurement, withFewAndMany } from './few-and-many.ts';
import { type Output, rounded } from './figures.ts';
import type { Workbench } from './workbench.ts';

const manyAccounts = 200;
/** More than the job fills during the measurement. */
const leftToTheJob = 40_000;

/**
 * The requests of the search. Most find equally much in both databases. If one finds more among many orders, its work grows
 * with the answer, up to the limits of the search.
 */
const calls: [what: string, path: string, body: object, findsMore?: true][] = [
  ['our number of an order', '/search/find', { text: 'ow_B-OUT-4321_d93591bdf7' }],
  ['the beginning of many numbers', '/search/find', { text: 'B-OUT-43' }],
  ['a part of all numbers', '/search/find', { text: 'out-' }],
  ['a part of many numbers', '/search/find', { text: 'ut-43' }],
  ['a part that nothing has', '/search/find', { text: '4321-x' }],
  ['a shipment number', '/search/find', { text: '900000004321' }],
  ['a part of many shipment numbers', '/search/find', { text: '00000043' }],
  ['a part of a product name', '/search/find', { text: '烏龍' }],
  ['a sku', '/search/find', { text: 'sku-77' }],
  // Those of the first order.
  ['the last four digits of a phone', '/orders/search-by-recipient', { by: 'phone', text: '2114', page_size: 1 }],
  ['the beginning of a name', '/orders/search-by-recipient', { by: 'name', text: '陳怡', page_size: 10 }],
  ['a whole number, which others begin with', '/search/find', { text: 'B-OUT-4321' }, true],
  ['the end of a number', '/search/find', { text: '4321' }, true],
];

/** Compares the search on few and on many orders, with one account and with many, and orders while its table is filled. */
export async function benchFind(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withFewAndMany(compareSearches, options, output);
}

export const compareSearches: OfficeMeasurement = async (sides, options, output) => {
  const { few, many } = sides;
  await storeParts(many, output);
  const filling = { doing: 'filling', numbersBeginWith: 'FILL-', run: fillStored };
  const mistakes = await compareBeside(many, filling, options, output);
  for (const side of [few, many]) await fill(side, output);
  const asked = (where: string) =>
    calls.map(([what, path, body, findsMore]) => ({ what: what + where, path, body, findsMore: findsMore === true }));
  mistakes.push(...(await compareOnBoth(sides, asked(''), options, output)));
  const accountNos = Array.from({ length: manyAccounts - 1 }, (_, place) => `MANY-${place + 1}`);
  for (const side of [few, many]) await applyForConsole(side, accountNos);
  return [...mistakes, ...(await compareOnBoth(sides, asked(`, ${manyAccounts} accounts`), options, output))];
};

/**
 * Stores the parts of all orders but the ones that the job will fill, with one statement: millions of orders would take the
 * job hours, because it works in small batches, and each part belongs to another page of the index.
 */
async function storeParts({ sql, accountId }: Workbench, output: Output): Promise<void> {
  const startedAt = performance.now();
  await sql.unsafe(`
    truncate search_part, search_progress;
    alter table search_part drop constraint search_part_pkey`);
  await sql.unsafe(`
    insert into search_progress (account_id, source, at, created_at, id, sku_id)
    select account_id, 'orders', updated_at, created_at, order_id, '' from orders where account_id = ${accountId}
    order by updated_at desc, created_at desc, order_id desc offset ${leftToTheJob} limit 1`);
  await sql.unsafe(`
    insert into search_part (account_id, found_id, kind, part)
    select ${accountId}, order_id, kind, substr(text, start, ${partLengthMax})
    from orders cross join lateral (values ('o', lower(partner_number)), ('s', lower(shipment_no))) named (kind, text)
      cross join lateral generate_series(1, length(text) - ${partLengthMin - 1}) start
    where account_id = ${accountId}
      and (updated_at, created_at, order_id) <= (select at, created_at, id from search_progress where source = 'orders')`);
  await sql.unsafe(`set maintenance_work_mem = '1GB'`);
  await sql.unsafe('alter table search_part add primary key (account_id, kind, part, found_id)');
  await sql.unsafe('reset maintenance_work_mem');
  output.progress(`stored the parts of all orders in ${rounded((performance.now() - startedAt) / 1000, 0)} s`);
}

/** Stores the parts that are not stored yet, without pauses, and reports the bytes that all of them need. */
async function fill({ sql, database }: Workbench, output: Output): Promise<void> {
  const startedAt = performance.now();
  const { documents } = await fillSearch(database, { youngestSeconds: 0, restRatio: 0, batchMax: 5000 });
  const seconds = (performance.now() - startedAt) / 1000;
  await sql`analyze search_part`;
  const [size] = await sql<{ count: number; parts: number; table: number; index: number; orders: number }[]>`
    select (select count(*) from orders) as count, (select count(*) from search_part) as parts, pg_table_size('search_part') as table,
      pg_indexes_size('search_part') as index, pg_total_relation_size('orders') as orders`;
  output.row('parts for the search', {
    orders: size!.count,
    documents,
    seconds: rounded(seconds, 1),
    'parts per order': rounded(size!.parts / size!.count, 1),
    'bytes per order, table': Math.round(size!.table / size!.count),
    'its index': Math.round(size!.index / size!.count),
    'the orders themselves': Math.round(size!.orders / size!.count),
  });
}

/** At the usual pace. */
async function fillStored(database: Workbench['database'], stopping: AbortSignal): Promise<number> {
  return (await fillSearch(database, { stopping })).documents;
}
