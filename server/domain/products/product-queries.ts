import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Product } from './product.ts';

export async function findProductIds(sql: Sql, accountId: number, skuIds: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ sku_id: string; product_id: number }[]>`
    select sku_id, product_id from product where account_id = ${accountId} and sku_id = any(${skuIds})`;
  return new Map(rows.map((row) => [row.sku_id, row.product_id]));
}

/** As above, of several accounts at once; perhaps also another account's of the same name. */
export async function findProductsBySku(tx: Tx, wanted: { accountId: number; skuId: string }[]): Promise<SkuOfAccount[]> {
  return await tx<SkuOfAccount[]>`
    select product_id as "productId", account_id as "accountId", sku_id as "skuId" from product
    where account_id = any(${distinct(wanted.map((one) => one.accountId))}) and sku_id = any(${distinct(wanted.map((one) => one.skuId))})`;
}

type SkuOfAccount = Pick<Product, 'productId' | 'accountId' | 'skuId'>;

/** These skus of these accounts; perhaps also another account's of the same name. */
export async function lockProducts(tx: Tx, wanted: { accountId: number; skuId: string }[]): Promise<Product[]> {
  return await tx<Product[]>`
    select product_id as "productId", account_id as "accountId", sku_id as "skuId", name, storage_type as "storageType",
      length_cm as "lengthCm", width_cm as "widthCm", height_cm as "heightCm", weight_kg as "weightKg"
    from product
    where account_id = any(${distinct(wanted.map((one) => one.accountId))}) and sku_id = any(${distinct(wanted.map((one) => one.skuId))})
    order by product_id for no key update`;
}

export async function takeProductIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('product_product_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

/** Sorted by what must be unique, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertProducts(tx: Tx, products: Product[]): Promise<void> {
  const sorted = products.toSorted((a, b) => a.accountId - b.accountId || (a.skuId < b.skuId ? -1 : 1));
  await tx`
    insert into product (product_id, account_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg)
    overriding system value
    select * from ${unnestProducts(tx, sorted)}`;
}

export async function updateProducts(tx: Tx, products: Product[]): Promise<void> {
  await tx`
    update product p set name = given.name, storage_type = given.storage_type, length_cm = given.length_cm, width_cm = given.width_cm,
      height_cm = given.height_cm, weight_kg = given.weight_kg, updated_at = now()
    from ${unnestProducts(tx, products)} as given(product_id, account_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg)
    where p.product_id = given.product_id and p.product_id = any(${products.map((product) => product.productId)})`;
}

function unnestProducts(tx: Tx, products: Product[]) {
  const column = <Key extends keyof Product>(key: Key) => products.map((product) => product[key]) as string[];
  return tx`unnest(${column('productId')}::bigint[], ${column('accountId')}::bigint[], ${column('skuId')}::text[], ${column('name')}::text[],
    ${column('storageType')}::text[], ${column('lengthCm')}::numeric[], ${column('widthCm')}::numeric[], ${column('heightCm')}::numeric[],
    ${column('weightKg')}::numeric[])`;
}
