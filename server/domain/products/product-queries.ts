import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { typedRowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { Product } from './product.ts';

export async function findProductIds(sql: Sql, accountId: number, skuIds: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ sku_id: string; product_id: number }[]>`
    select sku_id, product_id from product where account_id = ${accountId} and sku_id = any(${skuIds})`;
  return new Map(rows.map((row) => [row.sku_id, row.product_id]));
}

type SkuOfAccount = Pick<Product, 'productId' | 'accountId' | 'skuId'>;

/** The same for several accounts at once. */
export async function findProductsBySku(
  tx: Tx,
  wanted: { accountId: number; skuId: string }[],
): Promise<SkuOfAccount[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<SkuOfAccount[]>`
      select ${camelColumns('product_id, account_id, sku_id')} from product
      where account_id = ${accountId} and sku_id = any(${distinct(own.map((one) => one.skuId))})`,
  );
}

/** The products with all their facts; unlocked, so they may change at once. */
export async function readProducts(sql: Sql, accountId: number, skuIds: string[]): Promise<Product[]> {
  return await sql<Product[]>`
    select ${camelColumns(productColumns)} from product where account_id = ${accountId} and sku_id = any(${skuIds})`;
}

const productColumns = 'product_id, account_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg';

export async function lockProducts(tx: Tx, wanted: { accountId: number; skuId: string }[]): Promise<Product[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<Product[]>`
      select ${camelColumns(productColumns)} from product where account_id = ${accountId} and sku_id = any(${distinct(own.map((one) => one.skuId))})
      order by product_id for no key update`,
  );
}

export async function takeProductIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('product_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

const productRows = typedRowParameters<Product>('product_row', {
  product_id: ['bigint', (product) => product.productId],
  sku_id: ['text', (product) => product.skuId],
  name: ['text', (product) => product.name],
  storage_type: ['text', (product) => product.storageType],
  length_cm: ['numeric', (product) => product.lengthCm],
  width_cm: ['numeric', (product) => product.widthCm],
  height_cm: ['numeric', (product) => product.heightCm],
  weight_kg: ['numeric', (product) => product.weightKg],
});

/** Sorted by the unique key, so that two nodes that insert the same products lock them in the same order. */
export async function insertProducts(tx: Tx, products: Product[]): Promise<void> {
  await perAccount(products, (accountId, own) => {
    const sorted = own.toSorted((a, b) => (a.skuId < b.skuId ? -1 : 1));
    return tx`
      insert into product (account_id, product_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg)
      select ${accountId}::bigint, given.* from ${productRows.given(sorted)}`;
  });
}

export async function updateProducts(tx: Tx, products: Product[]): Promise<void> {
  await perAccount(
    products,
    (accountId, own) => tx`
      update product p set name = given.name, storage_type = given.storage_type, length_cm = given.length_cm,
        width_cm = given.width_cm, height_cm = given.height_cm, weight_kg = given.weight_kg, updated_at = now()
      from ${productRows.given(own)}
      where p.account_id = ${accountId} and p.product_id = given.product_id
        and p.product_id = any(${own.map((product) => product.productId)})`,
  );
}
