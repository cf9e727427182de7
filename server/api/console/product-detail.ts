import { productDetail } from '../../../contract/console/product-detail.ts';
import { findProduct } from '../../domain/products/product-search-queries.ts';
import { sumShelves } from '../../domain/stock/stock-search-queries.ts';
import { ProblemError } from '../problem.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { wordProduct } from './products-search.ts';
import { judgingOfOne, wordShelf } from './stock-lots.ts';

export function productDetailCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(productDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { product_id }) {
      const product = await database.read((sql) => findProduct(sql, product_id));
      if (product === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such product' });
      const { rules, accountNoOf } = await judgingOfOne(parts, product.account_id);
      const shelves = await database.read((sql) => sumShelves(sql, [product_id], rules));
      return { product: wordProduct(product, accountNoOf(product.account_id)), shelves: shelves.map(wordShelf) };
    },
  });
}
