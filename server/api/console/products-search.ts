import type { BodyOf } from '../../../contract/console/console-call.ts';
import { type ProductRow, productsSearch } from '../../../contract/console/products-search.ts';
import { type FoundProduct, findProducts } from '../../domain/products/product-search-queries.ts';
import type { Search } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { skuCondition } from './stock-search.ts';

export function productsSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  const find = (search: Search) => parts.database.read((sql) => findProducts(sql, search));
  return consoleEndpoint(productsSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const question = { list: 'products', filters: filtersOf(body) };
      return await listPage(parts, body, question, find, (found, accountNoOf) => wordProduct(found, accountNoOf(found.account_id)));
    },
  });
}

export function wordProduct(
  { account_id: _, product_id, sku_id, name, storage_type, ...rest }: FoundProduct,
  account_no: string,
): ProductRow {
  const { length_cm, width_cm, height_cm, weight_kg, created_at, updated_at } = rest;
  return { product_id, account_no, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg, created_at, updated_at };
}

function filtersOf(body: BodyOf<typeof productsSearch>): Search['filters'] {
  const { sku_id, sku_prefix, name_prefix, storage_type, updated_from, updated_to } = body;
  const updated_at = {
    ...(updated_from === undefined ? {} : { gte: `${updated_from}T00:00:00+08:00` }),
    ...(updated_to === undefined ? {} : { lte: `${updated_to}T23:59:59.999999+08:00` }),
  };
  return {
    ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
    ...(name_prefix === undefined ? {} : { name: { prefix: name_prefix } }),
    ...(Object.keys(updated_at).length === 0 ? {} : { updated_at }),
    ...(storage_type === undefined ? {} : { storage_type: { anyOf: [storage_type] } }),
  };
}
