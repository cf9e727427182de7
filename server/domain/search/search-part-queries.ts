import type { Sql, Tx, Value } from '../../platform/postgres/sql.ts';
import { partLengthMax, partLengthMin } from './search-term.ts';

/** The tables whose numbers and names are searched by their parts. */
export const searchSources = ['orders', 'inbound_document', 'product'] as const;
export type SearchSource = (typeof searchSources)[number];

/** The last row of a source whose parts are stored, in the order of an index; the times are text, with microseconds. */
export interface FillPosition {
  at: string;
  createdAt: string;
  id: number;
  skuId: string;
}

/** The columns of a position, in the order of the source's index. A document that changes moves to the end. */
const orderedBy = {
  orders: {
    table: 'updated_at, created_at, order_id',
    position: 'at, created_at, id',
    read: 'updated_at::text as at, created_at::text as "createdAt", order_id as id, \'\' as "skuId"',
  },
  inbound_document: {
    table: 'created_at, inbound_id',
    position: 'at, id',
    read: 'created_at::text as at, \'-infinity\' as "createdAt", inbound_id as id, \'\' as "skuId"',
  },
  product: {
    table: 'updated_at, sku_id',
    position: 'at, sku_id',
    read: 'updated_at::text as at, \'-infinity\' as "createdAt", 0::bigint as id, sku_id as "skuId"',
  },
} as const;

/** The position of an account in a source, as one row with the columns of `search_progress`. */
export function positionIn(sql: Sql, accountId: Value, source: SearchSource) {
  return sql`(
    select max(at) as at, max(created_at) as created_at, max(id) as id, max(sku_id) as sku_id
    from (select at, created_at, id, sku_id from search_progress where account_id = ${accountId} and source = ${source}
      union all select '-infinity', '-infinity', 0, '') known)`;
}

/** The condition that a row of a source comes behind the position `done`. */
export function isBehindPosition(sql: Sql, source: SearchSource) {
  const { table, position } = orderedBy[source];
  return sql.unsafe(`(${table}) > (${columnsOf('done', position)})`);
}

function columnsOf(alias: string, columns: string): string {
  return columns.replaceAll(/\w+/g, (column) => `${alias}.${column}`);
}

/** The order in which the newest rows of a source come first. */
export function newestFirst(sql: Sql, source: SearchSource) {
  return sql.unsafe(orderedBy[source].table.replaceAll(/\w+/g, (column) => `${column} desc`));
}

/** The positions of the next rows, at most `limit`, that are at least so old. */
export async function nextPositions(
  sql: Sql,
  { accountId, source, youngestSeconds }: { accountId: number; source: SearchSource; youngestSeconds: number },
  limit: number,
): Promise<FillPosition[]> {
  const { table, read } = orderedBy[source];
  const at = sql(table.split(',')[0]!);
  return await sql<FillPosition[]>`
    select batch.* from ${positionIn(sql, accountId, source)} done cross join lateral (
      select ${sql.unsafe(read)} from ${sql(source)}
      where account_id = ${accountId} and ${isBehindPosition(sql, source)} and ${at} <= now() - make_interval(secs => ${youngestSeconds})
      order by ${sql.unsafe(table)} limit ${limit}) batch`;
}

/**
 * Adds the parts of all rows behind the stored position, up to this one, and moves the position there. A text that is
 * stored as a whole has all its parts; of a longer one, the first part may belong to another text with the same beginning.
 */
export async function addParts(
  tx: Tx,
  { accountId, source }: { accountId: number; source: SearchSource },
  upTo: FillPosition,
): Promise<number> {
  const { table, position } = orderedBy[source];
  const { at, createdAt, id, skuId } = upTo;
  const end = tx`(
    select ${at}::timestamptz as at, ${createdAt}::timestamptz as created_at, ${id}::bigint as id, ${skuId}::text as sku_id)`;
  const rows = tx`
    select ${tx(source)}.* from ${positionIn(tx, accountId, source)} done cross join ${end} upto cross join lateral (
      select * from ${tx(source)} where account_id = ${accountId} and ${isBehindPosition(tx, source)}
        and (${tx.unsafe(table)}) <= (${tx.unsafe(columnsOf('upto', position))}) offset 0) ${tx(source)}`;
  const { count } = await tx`
    insert into search_part (account_id, found_id, kind, part)
    select distinct ${accountId}::bigint, found_id, kind, substr(text, start, ${partLengthMax})
    from (${textsOf[source](tx, accountId, rows)}) named
    cross join lateral generate_series(1, length(text) - case when kind = 'p' then 0 else ${partLengthMin - 1}::integer end) start
    where length(text) > ${partLengthMax}::integer or not exists (
      select from search_part known where known.account_id = ${accountId} and known.kind = named.kind
        and known.part = text and known.found_id = named.found_id)
    on conflict do nothing`;
  await tx`
    insert into search_progress (account_id, source, at, created_at, id, sku_id)
    select ${accountId}::bigint, ${source}::text, at, created_at, id, sku_id from ${end} upto
    on conflict (account_id, source) do update
      set at = excluded.at, created_at = excluded.created_at, id = excluded.id, sku_id = excluded.sku_id`;
  return count;
}

type Rows = ReturnType<Tx>;

/** The texts by which the rows of each source are found: `found_id`, `kind`, `text` in lower case. */
const textsOf: Record<SearchSource, (tx: Tx, accountId: number, rows: Rows) => Rows> = {
  orders: (tx, accountId, rows) => tx`
    with listed as (${rows})
    select order_id as found_id, 'o' as kind, lower(partner_number) as text from listed
    union all select order_id, 'o', lower(name) from listed where name is not null
    union all select order_id, 's', lower(shipment_no) from listed where shipment_no is not null
    union all select listed.order_id, 's', lower(parcel.shipment_no) from listed
      join parcel on parcel.account_id = ${accountId} and parcel.order_id = listed.order_id and parcel_no > 1`,
  inbound_document: (tx, _accountId, rows) => tx`
    select inbound_id as found_id, 'i' as kind, lower(partner_number) as text from (${rows}) listed`,
  product: (tx, _accountId, rows) => tx`
    with listed as (${rows})
    select product_id as found_id, 'p' as kind, lower(sku_id) as text from listed
    union all select product_id, 'p', lower(name) from listed`,
};

/** Deletes the parts of the numbers of these documents, which still exist. */
export async function deleteParts(
  tx: Tx,
  source: 'orders' | 'inbound_document',
  { accountId, ids }: { accountId: number; ids: number[] },
): Promise<void> {
  const id = tx(source === 'orders' ? 'order_id' : 'inbound_id');
  const rows = tx`select * from ${tx(source)} where account_id = ${accountId} and ${id} = any(${ids}::bigint[])`;
  await tx`
    delete from search_part using (
      select found_id, kind, substr(text, start, ${partLengthMax}) as part from (${textsOf[source](tx, accountId, rows)}) named
      cross join lateral generate_series(1, length(text) - ${partLengthMin - 1}::integer) start) gone
    where search_part.account_id = ${accountId} and search_part.kind = gone.kind and search_part.part = gone.part
      and search_part.found_id = gone.found_id`;
}
