import { lotsShownMax, stockBySku } from '../../../contract/console/stock-by-sku.ts';
import { findProduct } from '../../domain/products/product-search-queries.ts';
import { findListedLots, sumShelves } from '../../domain/stock/stock-search-queries.ts';
import { ProblemError } from '../problem.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { judgingOfOne, wordLot, wordShelf } from './stock-lots.ts';

export function stockBySkuCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(stockBySku, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { product_id }) {
      const product = await database.read((sql) => findProduct(sql, product_id));
      if (product === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such product' });
      const judging = await judgingOfOne(parts, product.account_id);
      const search = {
        ...{ accountIds: [product.account_id], filters: { sku_id: { anyOf: [product.sku_id] } } },
        ...{ sort: { field: 'expire_date', descending: false }, pageSize: lotsShownMax, after: null },
      };
      const shelves = await database.read((sql) => sumShelves(sql, [product_id], judging.rules));
      const { rows, next } = await database.read((sql) => findListedLots(sql, search, judging.rules));
      const account_no = judging.accountNoOf(product.account_id);
      return {
        ...{ product_id, account_no, sku_id: product.sku_id, product_name: product.name, shelves: shelves.map(wordShelf) },
        ...{ lots: rows.map((lot) => wordLot(lot, judging)), is_more: next !== null },
      };
    },
  });
}
