import type { ReactNode } from 'react';
import type { SkuRow, stockSkus } from '../../../contract/console/stock.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { bodyOf, flagFilter, picksFilter, textFilter, useUrlFilters, warehousesFilter } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { ProductName } from './lot-list.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

const description = {
  sku: { ...textFilter, field: 'sku_prefix' },
  accounts: picksFilter,
  warehouse: warehousesFilter,
  stocked: { ...flagFilter, field: 'only_stocked' },
} as const;

/** Products with the totals of all their lots, including products without stock. */
export function SkuList({ toolbar }: { toolbar: ReactNode }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof stockSkus>({
    path: '/stock/skus',
    body: bodyOf(filters),
    keyOf: ({ product_id }) => String(product_id),
    topics: ['stock', 'products'],
  });

  return (
    <FilteredList
      filters={filters}
      labels={{
        sku: say.filter.sku,
        accounts: shared.noun.account,
        warehouse: shared.noun.warehouse,
        stocked: say.filter.onlyStocked,
      }}
      options={{ accounts: accounts ?? [], warehouse: warehouses ?? [] }}
      placeholders={{ sku: say.skuPlaceholder }}
      name="stock-skus"
      label={say.title}
      columns={useColumns(warehouses)}
      list={list}
      rowName={({ sku_id }) => sku_id}
      rowLink={({ product_id }) => `/products/${product_id}`}
      toolbar={toolbar}
      empty={{ title: say.emptySkusTitle, hint: say.emptySkusHint }}
      noMatches={{ title: say.nothingFitsSkus, hint: say.nothingFitsHint }}
    />
  );
}

function useColumns(warehouses: Option[] | undefined): Column<SkuRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, { alwaysShown: true }),
    column('product', shared.noun.product, (row) => <ProductName name={row.product_name} />),
    column('account', shared.noun.account, (row) => row.account_no),
    column('warehouses', shared.noun.warehouse, (row) =>
      row.warehouses.map((warehouseNo) => labelOf(warehouses, warehouseNo)).join(', '),
    ),
    numberColumn('lots', say.column.lots, (row) => row.lots),
    numberColumn('on_hand', say.column.onHand, (row) => row.on_hand),
    numberColumn('locked', say.column.locked, (row) => row.locked),
    numberColumn('free', say.column.free, (row) => row.free),
    numberColumn('sellable', say.column.sellable, (row) => row.sellable),
    numberColumn('bad', say.defective, (row) => row.bad),
    column('expiry', say.column.earliestExpiry, (row) => <span className={classes.date}>{row.earliest_expiry}</span>),
  ];
}
