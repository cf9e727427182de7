import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LotRow, stockSearch } from '../../../contract/console/stock.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { stockSorts, stockTypes } from '../../kit/statuses.ts';
import {
  bodyOf,
  datesFilter,
  flagFilter,
  pickFilter,
  picksFilter,
  textFilter,
  useUrlFilters,
  warehousesFilter,
} from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { words as kitWords } from '../../kit/words.ts';
import { Expiry, expiryBands } from './expiry.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

const description = {
  sku: { ...textFilter, field: 'sku_prefix' },
  accounts: picksFilter,
  warehouse: warehousesFilter,
  band: { ...pickFilter, field: 'expiry_band', choices: expiryBands },
  type: { ...pickFilter, field: 'stock_type', choices: stockTypes },
  batch: { ...textFilter, field: 'batch_id' },
  expires: datesFilter,
  free: { ...flagFilter, field: 'only_free' },
  sort: { ...pickFilter, choices: stockSorts },
  reversed: flagFilter,
} as const;

/** Lots with something on hand. */
export function LotList({ toolbar }: { toolbar: ReactNode }) {
  const say = useWords(words);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof stockSearch>({
    path: '/stock/search',
    body: bodyOf(filters),
    keyOf: ({ lot_id }) => String(lot_id),
    topics: ['stock'],
    counted: true,
  });

  return (
    <FilteredList
      filters={filters}
      {...useFilterTexts(accounts, warehouses)}
      rare={['sort', 'reversed']}
      tabs="type"
      placeholders={{ sku: say.skuPlaceholder }}
      name="stock"
      label={say.title}
      columns={useLotColumns(warehouses)}
      list={list}
      rowName={({ sku_id, lot_id }) => say.lotNamed(sku_id, String(lot_id))}
      rowLink={({ lot_id }) => `/stock/${lot_id}`}
      toolbar={toolbar}
      empty={{
        title: say.emptyTitle,
        hint: say.emptyHint,
        action: (
          <Button variant="default" component={Link} to="/inbound">
            {say.toInbound}
          </Button>
        ),
      }}
      noMatches={{ title: say.noMatches, hint: say.nothingFitsHint }}
    />
  );
}

function useFilterTexts(accounts: Option[] | undefined, warehouses: Option[] | undefined) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sayKit = useWords(kitWords);
  const sortNames = { sku: shared.noun.sku, expiry: shared.noun.expiry, on_hand: say.column.onHand };
  return {
    labels: {
      sku: say.filter.sku,
      accounts: shared.noun.account,
      warehouse: shared.noun.warehouse,
      band: say.bandLabel,
      type: shared.noun.type,
      batch: shared.noun.batch,
      expires: shared.noun.expiry,
      free: say.filter.onlyFree,
      sort: sayKit.sort,
      reversed: sayKit.reversed,
    },
    options: {
      accounts: accounts ?? [],
      warehouse: warehouses ?? [],
      band: expiryBands.map((value) => ({ value, label: say.band[value] })),
      sort: stockSorts.map((value) => ({ value, label: sortNames[value] })),
      type: stockTypes.map((value) => ({ value, label: shared.stockType[value] })),
    },
  };
}

export function useLotColumns(warehouses: Option[] | undefined): Column<LotRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, {
      width: 140,
      alwaysShown: true,
      sort: { by: 'sku', first: 'ascending' },
    }),
    column('product', shared.noun.product, (row) => <ProductName name={row.product_name} />),
    column('account', shared.noun.account, (row) => row.account_no),
    column('warehouse', shared.noun.warehouse, (row) => <WarehouseName name={labelOf(warehouses, row.warehouse_no)} />),
    column('type', shared.noun.type, ({ stock_type }) =>
      stock_type === 'good' ? shared.stockType.good : <StatusBadge tone="stopped">{shared.stockType.bad}</StatusBadge>,
    ),
    column('batch', shared.noun.batch, (row) => row.batch_id),
    column('expiry', shared.noun.expiry, (row) => <Expiry date={row.expire_date} band={row.expiry_band} />, {
      sort: { by: 'expiry', first: 'ascending' },
    }),
    numberColumn('on_hand', say.column.onHand, (row) => row.on_hand, { sort: { by: 'on_hand', first: 'descending' } }),
    numberColumn('locked', say.column.locked, (row) => row.locked),
    numberColumn('free', say.column.free, (row) => row.free),
    numberColumn('sellable', say.column.sellable, (row) => row.sellable),
  ];
}

/** The name on one line. The full name is the tooltip. */
export function ProductName({ name }: { name: string }) {
  return (
    <span className={classes.name} title={name}>
      {name}
    </span>
  );
}

function WarehouseName({ name }: { name: string }) {
  return (
    <span className={`${classes.name} ${classes.warehouse}`} title={name}>
      {name}
    </span>
  );
}
