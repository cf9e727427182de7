import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import type { ProductCode, ProductLocation } from './product-code.ts';

type CodeOfProduct = ProductCode & { productId: number };
type LocationOfProduct = ProductLocation & { productId: number };

const codeRows = rowParameters<CodeOfProduct>({
  product_id: ['bigint', ({ productId }) => productId],
  code: ['text', ({ code }) => code],
  units: ['integer', ({ units }) => units],
});

/**
 * Replaces the codes of these products, or only the given ones if the others stay. Returns the given codes that belong
 * to other products; the caller then rolls back. Codes are inserted in their order, so that two changes wait for each
 * other without a deadlock.
 */
export async function replaceCodes(
  tx: Tx,
  accountId: number,
  productIds: number[],
  codes: CodeOfProduct[],
  othersStay: boolean,
): Promise<Set<string>> {
  await tx`
    delete from product_code where account_id = ${accountId} and product_id = any(${productIds})
      and (not ${othersStay} or code = any(${codes.map(({ code }) => code)}))`.execute();
  const written = await tx<{ code: string }[]>`
    insert into product_code (account_id, product_id, code, units)
    select ${accountId}::bigint, given.* from ${codeRows.given(codes)} order by given.code
    on conflict do nothing returning code`;
  const own = new Set(written.map(({ code }) => code));
  return new Set(codes.map(({ code }) => code).filter((code) => !own.has(code)));
}

/** The products among these that have more codes than the limit. */
export async function findOverfullProducts(
  tx: Tx,
  accountId: number,
  productIds: number[],
  codesMax: number,
): Promise<Set<number>> {
  const rows = await tx<{ product_id: number }[]>`
    select product_id from product_code where account_id = ${accountId} and product_id = any(${productIds})
    group by product_id having count(*) > ${codesMax}`;
  return new Set(rows.map(({ product_id }) => product_id));
}

/** The sku_id of the product that each code belongs to. */
export async function findCodeOwners(sql: Sql, accountId: number, codes: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ code: string; sku_id: string }[]>`
    select code, sku_id from product_code join product using (account_id, product_id)
    where account_id = ${accountId} and code = any(${codes})`;
  return new Map(rows.map(({ code, sku_id }) => [code, sku_id]));
}

const locationRows = rowParameters<LocationOfProduct>({
  product_id: ['bigint', ({ productId }) => productId],
  warehouse_no: ['integer', ({ warehouseNo }) => warehouseNo],
  location: ['text', ({ location }) => location],
});

/** Sets the locations; an empty one is removed. Each product has a warehouse at most once in the list. */
export async function writeLocations(tx: Tx, accountId: number, locations: LocationOfProduct[]): Promise<void> {
  const [removed, kept] = [
    locations.filter((one) => one.location === ''),
    locations.filter((one) => one.location !== ''),
  ];
  await tx`
    delete from product_location l using ${locationRows.given(removed)}
    where l.account_id = ${accountId} and l.product_id = given.product_id and l.warehouse_no = given.warehouse_no`.execute();
  await tx`
    insert into product_location (account_id, product_id, warehouse_no, location)
    select ${accountId}::bigint, given.* from ${locationRows.given(kept)} order by given.product_id, given.warehouse_no
    on conflict (account_id, product_id, warehouse_no)
    do update set location = excluded.location, updated_at = excluded.updated_at where product_location.location <> excluded.location`.execute();
}

export async function findCodes(sql: Sql, accountId: number, productIds: number[]): Promise<CodeOfProduct[]> {
  return await sql<CodeOfProduct[]>`
    select product_id as "productId", code, units from product_code
    where account_id = ${accountId} and product_id = any(${productIds}) order by units, code`;
}

export async function findLocations(sql: Sql, accountId: number, productIds: number[]): Promise<LocationOfProduct[]> {
  return await sql<LocationOfProduct[]>`
    select product_id as "productId", warehouse_no as "warehouseNo", location from product_location
    where account_id = ${accountId} and product_id = any(${productIds}) order by warehouse_no`;
}

export interface ScannedProduct {
  productId: number;
  skuId: string;
  units: number;
}

/** The product that a scan means: the one with this code, otherwise the one with this sku_id. */
export async function findScanned(sql: Sql, accountId: number, scanned: string): Promise<ScannedProduct | null> {
  const [found] = await scannedIn(sql, accountId, scanned);
  return found ?? null;
}

/** The products that a scan means in each account. */
export async function findScannedAnywhere(sql: Sql, scanned: string): Promise<ScannedProduct[]> {
  return await inEveryAccount(sql, (own, accountId) => scannedIn(own, accountId, scanned));
}

function scannedIn(sql: Sql, accountId: number, scanned: string) {
  return sql<ScannedProduct[]>`
    select p.product_id as "productId", p.sku_id as "skuId", found.units
    from (select product_id, units, 0 as rank from product_code where account_id = ${accountId} and code = ${scanned}
      union all select product_id, 1, 1 from product where account_id = ${accountId} and sku_id = ${scanned}) found
    join product p on p.account_id = ${accountId} and p.product_id = found.product_id
    order by found.rank limit 1`;
}
