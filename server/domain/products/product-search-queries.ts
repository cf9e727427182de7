import type { Page, Search, SearchTable } from '../../platform/postgres/keyset-search.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';

const productColumns = `product_id, account_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg,
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    (select coalesce(json_agg(json_build_object('code', c.code, 'units', c.units) order by c.units, c.code), '[]')
      from product_code c where c.account_id = listed.account_id and c.product_id = listed.product_id) as codes,
    (select coalesce(json_agg(json_build_object('warehouse_no', l.warehouse_no, 'location', l.location) order by l.warehouse_no), '[]')
      from product_location l where l.account_id = listed.account_id and l.product_id = listed.product_id) as locations`;

export const productTable: SearchTable = {
  table: 'product',
  order: { columns: [{ name: 'sku_id', type: 'text' }], descending: false },
  select: () => productColumns,
  fields: {
    product_id: { column: 'product_id', type: 'bigint', index: 'product_pkey', rare: true },
    sku_id: { column: 'sku_id', type: 'text', index: 'product_account_id_sku_id_key', rare: true, unique: true },
    name: { column: 'name', type: 'text', index: 'product_search_name' },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'product_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'product_search_created', rare: true },
    storage_type: { column: 'storage_type', type: 'text', index: 'product_search_storage_type' },
  },
};

export interface FoundProduct {
  product_id: number;
  account_id: number;
  sku_id: string;
  name: string;
  storage_type: string;
  /** A text, because it must stay exact. */
  length_cm: string | null;
  width_cm: string | null;
  height_cm: string | null;
  weight_kg: string | null;
  created_at: string;
  updated_at: string;
  codes: { code: string; units: number }[];
  locations: { warehouse_no: number; location: string }[];
}

export async function findProducts(sql: Sql, search: Search): Promise<Page<FoundProduct>> {
  return await searchPage<FoundProduct>(sql, productTable, search);
}

/** The product with this id, whatever its account. */
export async function findProduct(sql: Sql, productId: number): Promise<FoundProduct | null> {
  const columns = sql.unsafe(productColumns);
  const [found] = await inEveryAccount(
    sql,
    (own, accountId) =>
      own<
        FoundProduct[]
      >`select ${columns} from product as listed where account_id = ${accountId} and product_id = ${productId}`,
  );
  return found ?? null;
}
