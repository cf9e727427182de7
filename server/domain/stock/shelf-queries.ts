import { distinct } from '../../platform/distinct.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findProductIds } from '../products/product-queries.ts';

/** A product in a warehouse, as people refer to it within an account. */
export interface ShelfName {
  warehouseNo: number;
  skuId: string;
}

/** The named products and warehouses that exist. */
export interface Shelves {
  productIds: ReadonlyMap<string, number>;
  /**
   * `isInUse`: the account has a tenant or a logistics key for the warehouse, so its stock there can be ordered.
   */
  warehouses: ReadonlyMap<number, { isInUse: boolean }>;
}

export async function findShelves(tx: Tx, accountId: number, names: ShelfName[]): Promise<Shelves> {
  const warehouseNos = distinct(names.map(({ warehouseNo }) => warehouseNo));
  const skuIds = distinct(names.map(({ skuId }) => skuId));
  const [productIds, warehouses] = await Promise.all([
    findProductIds(tx, accountId, skuIds),
    tx<{ warehouseNo: number; isInUse: boolean }[]>`
      select w.warehouse_no as "warehouseNo",
        exists (select from tenant t where t.account_id = ${accountId} and t.warehouse_no = w.warehouse_no)
          or exists (select from logistics_key k where k.account_id = ${accountId} and k.warehouse_no = w.warehouse_no) as "isInUse"
      from warehouse w where w.warehouse_no = any(${warehouseNos})`,
  ]);
  return { productIds, warehouses: new Map(warehouses.map((warehouse) => [warehouse.warehouseNo, warehouse])) };
}
