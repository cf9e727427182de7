import {
  type ProductSyncBody,
  type ProductSyncData,
  ProductSyncBody as Schema,
} from '../../../contract/warehouse/product-sync.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { type ProductFacts, storageTypes } from '../../domain/products/product.ts';
import { endpoint } from '../../http/endpoint.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-1: creates a product, or updates it if the sku_id exists. */
export function productSync({ syncProduct }: Pick<DomainOperations, 'syncProduct'>) {
  return endpoint<WarehouseCaller, typeof Schema>({
    path: '/product/sync',
    body: Schema,
    documentNo: (body) => body.sku_id,
    async handle(account, body, request) {
      const { productId } = await syncProduct(factsOf(account.accountId, body));
      const data: ProductSyncData = { success: true, products_id: productId };
      return success(request.id, data);
    },
  });
}

/** Images are not stored. */
function factsOf(
  accountId: number,
  { sku_id, sku_name, storage_type, length, width, height, weight }: ProductSyncBody,
): ProductFacts {
  return {
    accountId,
    skuId: sku_id,
    name: sku_name,
    storageType: storageTypes[storage_type - 1]!,
    ...(length === undefined ? {} : { lengthCm: exact(length) }),
    ...(width === undefined ? {} : { widthCm: exact(width) }),
    ...(height === undefined ? {} : { heightCm: exact(height) }),
    ...(weight === undefined ? {} : { weightKg: exact(weight) }),
  };
}

function exact(measure: number | null): string | null {
  return measure === null ? null : String(measure);
}
