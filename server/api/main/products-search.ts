import type { productsSearch } from '../../../contract/main/products-search.ts';
import type { FoundProduct } from '../../domain/products/product-search-queries.ts';
import type { SearchListFormat } from './search-list.ts';

export const productsFormat: SearchListFormat<typeof productsSearch, FoundProduct> = {
  domainNames: { products_id: 'product_id', sku_name: 'name' },
  row: ({
    product_id,
    sku_id,
    name,
    storage_type,
    length_cm,
    width_cm,
    height_cm,
    weight_kg,
    codes,
    locations,
    created_at,
    updated_at,
  }) => ({
    products_id: product_id,
    sku_id,
    sku_name: name,
    storage_type,
    length: numberOf(length_cm),
    width: numberOf(width_cm),
    height: numberOf(height_cm),
    weight: numberOf(weight_kg),
    codes,
    locations,
    created_at,
    updated_at,
  }),
};

/** Exact, because it has at most 12 digits. */
function numberOf(measure: string | null): number | null {
  return measure === null ? null : Number(measure);
}
