import type { Tx } from '../../platform/postgres/sql.ts';

/** A product of an account in a warehouse, as people refer to it. */
export interface ShelfName {
  accountNo: string;
  warehouseNo: number;
  skuId: string;
}

export interface Shelf {
  accountId: number;
  /** null: the account has no such product. */
  productId: number | null;
  warehouseExists: boolean;
  /** The account has a tenant or a logistics key for the warehouse, so its stock there can be ordered. */
  isInUse: boolean;
}

/** null: there is no such account. */
export async function findShelf(tx: Tx, { accountNo, warehouseNo, skuId }: ShelfName): Promise<Shelf | null> {
  const [shelf] = await tx<Omit<Shelf, 'productId'>[]>`
    select account_id as "accountId", exists (select from warehouse where warehouse_no = ${warehouseNo}) as "warehouseExists",
      exists (select from tenant t where t.account_id = a.account_id and warehouse_no = ${warehouseNo})
        or exists (select from logistics_key k where k.account_id = a.account_id and warehouse_no = ${warehouseNo}) as "isInUse"
    from account a where account_no = ${accountNo}`;
  if (!shelf) return null;
  const [product] = await tx<{ productId: number }[]>`
    select product_id as "productId" from product where account_id = ${shelf.accountId} and sku_id = ${skuId}`;
  return { ...shelf, productId: product?.productId ?? null };
}
