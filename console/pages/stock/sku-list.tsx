import type { ReactNode } from 'react';
import type { SkuRow, stockSkus } from '../../../contract/console/stock-skus.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type Option } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { type FilterValues, flagFilter, picksFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { ProductName, sharedBodyOf, unitsColumn, warehouseNamed } from './lot-list.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

const description = { sku: textFilter, accounts: picksFilter, warehouse: picksFilter, stocked: flagFilter } as const;

/** Products with their sums over all lots, also those of which nothing is left. */
export function SkuList({ toolbar }: { toolbar: ReactNode }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof stockSkus>({
    path: '/stock/skus',
    body: bodyOf(filters.values),
    keyOf: ({ product_id }) => String(product_id),
    topics: ['stock', 'products'],
  });

  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ sku: say.filter.sku, accounts: shared.noun.account, warehouse: shared.noun.warehouse, stocked: say.filter.onlyStocked }}
        options={{ accounts: accounts ?? [], warehouse: warehouses ?? [] }}
        placeholders={{ sku: say.skuPlaceholder }}
      />
      <DataTable
        name="stock-skus"
        label={say.title}
        columns={useColumns(warehouses)}
        list={list}
        rowName={({ sku_id }) => sku_id}
        rowLink={({ product_id }) => `/products/${product_id}`}
        toolbar={toolbar}
        empty={
          filters.isEmpty ? (
            <EmptyState title={say.emptySkusTitle} hint={say.emptySkusHint} />
          ) : (
            <NothingFits title={say.nothingFitsSkus} hint={say.nothingFitsHint} onClear={filters.clear} />
          )
        }
      />
    </>
  );
}

function useColumns(warehouses: Option[] | undefined): Column<SkuRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    {
      key: 'sku',
      title: shared.noun.sku,
      alwaysShown: true,
      cell: (row) => <IdText value={row.sku_id} label={shared.noun.sku} copy={false} />,
    },
    { key: 'product', title: shared.noun.product, cell: (row) => <ProductName name={row.product_name} /> },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    {
      key: 'warehouses',
      title: shared.noun.warehouse,
      cell: (row) => row.warehouses.map((warehouseNo) => warehouseNamed(warehouses, warehouseNo)).join(', '),
    },
    unitsColumn('lots', say.column.lots),
    unitsColumn('on_hand', say.column.onHand),
    unitsColumn('locked', say.column.locked),
    unitsColumn('free', say.column.free),
    unitsColumn('sellable', say.column.sellable),
    unitsColumn('bad', say.defective),
    { key: 'expiry', title: say.column.earliestExpiry, cell: (row) => <span className={classes.date}>{row.earliest_expiry}</span> },
  ];
}

/** Without what is not set: the schema is strict. */
function bodyOf({ stocked, ...found }: FilterValues<typeof description>) {
  return { ...sharedBodyOf(found), ...(stocked && { only_stocked: true }) };
}
