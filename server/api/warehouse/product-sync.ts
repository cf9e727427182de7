import { type ProductSyncBody, type ProductSyncData, ProductSyncBody as Schema } from '../../../contract/warehouse/product-sync.ts';
import { type ProductFacts, storageTypes } from '../../domain/products/product.ts';
import { syncProduct } from '../../domain/products/sync-product.ts';
import type { Database } from '../../platform/database.ts';
import { endpoint } from '../contract.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-1: makes a product known; the same sku_id again is an update. */
export function productSync(database: Database) {
  return endpoint<WarehouseCaller, typeof Schema>({
    path: '/product/sync',
    body: Schema,
    documentNo: (body) => body.sku_id,
    async handle(account, body, request) {
      const { productId } = await syncProduct(database, account.accountId, factsOf(body));
      const data: ProductSyncData = { success: true, products_id: productId };
      return success(request.id, data);
    },
  });
}

/** The images were checked by the schema and go no further. */
function factsOf({ sku_id, sku_name, storage_type, length, width, height, weight }: ProductSyncBody): ProductFacts {
  return {
    skuId: sku_id,
    name: sku_name,
    storageType: storageTypes[storage_type - 1]!,
    ...(length === undefined ? {} : { lengthCm: length }),
    ...(width === undefined ? {} : { widthCm: width }),
    ...(height === undefined ? {} : { heightCm: height }),
    ...(weight === undefined ? {} : { weightKg: weight }),
  };
}
