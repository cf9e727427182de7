import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { stockSearch } from '../../../contract/console/stock-search.ts';
import type { LotRow } from '../../../contract/console/stock-values.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type Option } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { datesFilter, type FilterValues, flagFilter, pickFilter, picksFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { Expiry, expiryBands } from './expiry.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

const stockTypes = ['good', 'bad'] as const;
const description = {
  sku: textFilter,
  accounts: picksFilter,
  warehouse: picksFilter,
  band: pickFilter,
  type: pickFilter,
  batch: textFilter,
  expires: datesFilter,
  free: flagFilter,
} as const;

/** Lots with something on hand. */
export function LotList({ toolbar }: { toolbar: ReactNode }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const list = useLiveList<typeof stockSearch>({
    path: '/stock/search',
    body: bodyOf(filters.values),
    keyOf: ({ lot_id }) => String(lot_id),
    topics: ['stock'],
  });

  return (
    <>
      <FilterBar
        filters={filters}
        labels={{
          sku: say.filter.sku,
          accounts: shared.noun.account,
          warehouse: shared.noun.warehouse,
          band: say.bandLabel,
          type: shared.noun.type,
          batch: shared.noun.batch,
          expires: shared.noun.expiry,
          free: say.filter.onlyFree,
        }}
        options={{
          accounts: accounts ?? [],
          warehouse: warehouses ?? [],
          band: expiryBands.map((value) => ({ value, label: say.band[value] })),
          type: stockTypes.map((value) => ({ value, label: shared.stockType[value] })),
        }}
        placeholders={{ sku: say.skuPlaceholder }}
      />
      <DataTable
        name="stock"
        label={say.title}
        columns={useLotColumns(warehouses)}
        list={list}
        rowName={({ sku_id, lot_id }) => say.lotNamed(sku_id, String(lot_id))}
        rowLink={({ lot_id }) => `/stock/${lot_id}`}
        toolbar={toolbar}
        empty={
          filters.isEmpty ? (
            <EmptyState
              title={say.emptyTitle}
              hint={say.emptyHint}
              action={
                <Button variant="default" component={Link} to="/inbound">
                  {say.toInbound}
                </Button>
              }
            />
          ) : (
            <NothingFits title={say.nothingFits} hint={say.nothingFitsHint} onClear={filters.clear} />
          )
        }
      />
    </>
  );
}

export function useLotColumns(warehouses: Option[] | undefined): Column<LotRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    {
      key: 'sku',
      title: shared.noun.sku,
      width: 140,
      alwaysShown: true,
      cell: (row) => <IdText value={row.sku_id} label={shared.noun.sku} copy={false} />,
    },
    { key: 'product', title: shared.noun.product, cell: (row) => <ProductName name={row.product_name} /> },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    {
      key: 'warehouse',
      title: shared.noun.warehouse,
      cell: (row) => <WarehouseName name={warehouseNamed(warehouses, row.warehouse_no)} />,
    },
    {
      key: 'type',
      title: shared.noun.type,
      cell: ({ stock_type }) =>
        stock_type === 'good' ? shared.stockType.good : <StatusBadge tone="stopped">{shared.stockType.bad}</StatusBadge>,
    },
    { key: 'batch', title: shared.noun.batch, cell: (row) => row.batch_id },
    { key: 'expiry', title: shared.noun.expiry, cell: (row) => <Expiry date={row.expire_date} band={row.expiry_band} /> },
    unitsColumn('on_hand', say.column.onHand),
    unitsColumn('locked', say.column.locked),
    unitsColumn('free', say.column.free),
    unitsColumn('sellable', say.column.sellable),
  ];
}

export function unitsColumn<Key extends string>(key: Key, title: string): Column<Record<Key, number>> {
  return { key, title, align: 'right', cell: (row) => formatNumber(row[key]) };
}

/** In one line; the whole of it in its title. */
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

export function warehouseNamed(warehouses: Option[] | undefined, warehouseNo: number): string {
  return warehouses?.find(({ value }) => value === String(warehouseNo))?.label ?? String(warehouseNo);
}

/** Without what is not set: the schema is strict. */
function bodyOf({ band, type, batch, expires, free, ...found }: FilterValues<typeof description>): BodyOf<typeof stockSearch> {
  const knownBand = expiryBands.find((one) => one === band);
  const knownType = stockTypes.find((one) => one === type);
  return {
    ...sharedBodyOf(found),
    ...(knownBand && { expiry_band: knownBand }),
    ...(knownType && { stock_type: knownType }),
    ...(batch !== '' && { batch_id: batch }),
    ...(expires.from !== null && { expires_from: expires.from }),
    ...(expires.to !== null && { expires_to: expires.to }),
    ...(free && { only_free: true }),
  };
}

/** What products are filtered by as well. */
export function sharedBodyOf({ sku, accounts, warehouse }: { sku: string; accounts: string[]; warehouse: string[] }) {
  const warehouseNos = warehouse.map(Number).filter((no) => Number.isInteger(no) && no > 0);
  return {
    ...(sku !== '' && { sku_prefix: sku }),
    ...(accounts.length > 0 && { accounts }),
    ...(warehouseNos.length > 0 && { warehouse_no: warehouseNos }),
  };
}
