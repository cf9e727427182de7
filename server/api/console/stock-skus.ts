import { type SkuRow, stockSkus } from '../../../contract/console/stock-skus.ts';
import type { ShelfRow } from '../../../contract/console/stock-values.ts';
import type { FoundProduct } from '../../domain/products/product-search-queries.ts';
import { findStockedProducts, sumShelves } from '../../domain/stock/stock-search-queries.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { judgingOf, wordShelf } from './stock-lots.ts';
import { skuCondition } from './stock-search.ts';

type ShelvedProduct = FoundProduct & { shelves: ShelfRow[] };

export function stockSkusCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(stockSkus, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const { accounts, sku_id, sku_prefix, warehouse_no = null, only_stocked } = body;
      const { rules } = await judgingOf(parts, accounts);
      const filters: Search['filters'] = {
        ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
        ...(only_stocked ? { is_stocked: { anyOf: [1] } } : {}),
      };

      const find = async (search: Search): Promise<Page<ShelvedProduct>> => {
        const page = await database.read((sql) => findStockedProducts(sql, search, warehouse_no));
        const productIds = page.rows.map((row) => row.product_id);
        const sums = await database.read((sql) => sumShelves(sql, productIds, rules));
        const asked = Map.groupBy(
          sums.filter((sum) => warehouse_no === null || warehouse_no.includes(sum.warehouse_no)),
          (sum) => sum.product_id,
        );
        const rows = page.rows.map((row) => ({ ...row, shelves: (asked.get(row.product_id) ?? []).map(wordShelf) }));
        return { ...page, rows };
      };
      return await listPage(parts, body, { list: `skus/${warehouse_no ?? ''}`, filters }, find, (row, accountNoOf) =>
        wordSku(row, accountNoOf(row.account_id)),
      );
    },
  });
}

function wordSku({ product_id, sku_id, name, shelves }: ShelvedProduct, account_no: string): SkuRow {
  const sum = (field: 'lots' | 'on_hand' | 'locked' | 'free' | 'sellable', of = shelves) =>
    of.reduce((total, shelf) => total + shelf[field], 0);
  return {
    ...{ product_id, account_no, sku_id, product_name: name },
    warehouses: [...new Set(shelves.map((shelf) => shelf.warehouse_no))],
    ...{ lots: sum('lots'), on_hand: sum('on_hand'), locked: sum('locked'), free: sum('free'), sellable: sum('sellable') },
    bad: sum(
      'on_hand',
      shelves.filter((shelf) => shelf.stock_type === 'bad'),
    ),
    earliest_expiry: shelves.flatMap((shelf) => shelf.earliest_expiry ?? []).toSorted()[0] ?? null,
  };
}
