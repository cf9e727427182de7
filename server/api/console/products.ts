import type { BodyOf } from '../../../contract/console/console-call.ts';
import { type ProductRow, productDetail, productsSearch } from '../../../contract/console/products.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { type FoundProduct, findProduct, findProducts } from '../../domain/products/product-search-queries.ts';
import { sumShelves } from '../../domain/stock/stock-search-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { pick } from '../../platform/pick.ts';
import type { Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage, wholeDays } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOwn } from './own-warehouses.ts';
import { judgingOfOne, skuCondition, toShelf } from './stock.ts';

export function productEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [productsSearchCall(parts), productDetailCall(parts)];
}

function productsSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(productsSearch, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const question = { list: 'products', filters: filtersOf(body) };
      return await listPage(parts, caller, body, question, findProducts, (found, accountNoOf) =>
        toProduct(found, accountNoOf(found.account_id)),
      );
    },
  });
}

function toProduct(product: FoundProduct, account_no: string): ProductRow {
  return {
    account_no,
    ...pick(product, 'product_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg'),
    ...pick(product, 'created_at, updated_at'),
  };
}

function filtersOf(body: BodyOf<typeof productsSearch>): Search['filters'] {
  const { sku_id, sku_prefix, name_prefix, storage_type, updated_from, updated_to } = body;
  const updated_at = wholeDays(updated_from, updated_to);
  return {
    ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
    ...(name_prefix === undefined ? {} : { name: { prefix: name_prefix } }),
    ...(updated_at && { updated_at }),
    ...(storage_type === undefined ? {} : { storage_type: { anyOf: [storage_type] } }),
  };
}

function productDetailCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(productDetail, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { product_id }) {
      const product = await database.read(noAccounts, (sql) => findProduct(sql, product_id));
      if (product === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_product') });
      const { rules, accountNoOf } = await judgingOfOne(parts, product.account_id);
      const key = { accountId: product.account_id, productId: product_id };
      const shelves = await database.read([key.accountId], (sql) => sumShelves(sql, [key], rules));
      return {
        product: toProduct(product, accountNoOf(product.account_id)),
        shelves: shelves.filter(({ warehouse_no }) => isOwn(caller, warehouse_no)).map(toShelf),
      };
    },
  });
}
