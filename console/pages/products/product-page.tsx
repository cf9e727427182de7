import { Button, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { ProductRow, productDetail } from '../../../contract/console/products.ts';
import type { LotRow, ShelfRow, stockBySku } from '../../../contract/console/stock.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, numberColumn } from '../../kit/columns.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { labelOf, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useLotColumns } from '../stock/lot-list.tsx';
import { words as stockWords } from '../stock/words.ts';
import { LabelSection } from './label-section.tsx';
import { measureText, sizeText } from './measures.ts';
import { storageName } from './storage-name.ts';
import { words } from './words.ts';

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const productId = Number(useParams().productId);
  const asked = useAsk<typeof productDetail>(
    '/products/detail',
    { product_id: productId },
    { topics: ['products', 'stock'] },
  );
  const product = asked.answer?.product;
  return (
    <>
      <PageHeader
        back={{ to: '/products', label: say.title }}
        title={product?.sku_id ?? say.productTitle}
        aside={product && <CopyButton value={product.sku_id} label={shared.noun.sku} />}
        subtitle={product?.name}
      />
      <AskedContent asked={asked}>
        {(detail) => (
          <>
            <ProductFacts product={detail.product} />
            <LabelSection detail={detail} />
            <Shelves shelves={detail.shelves} />
            {detail.shelves.length > 0 && <Lots product={detail.product} />}
          </>
        )}
      </AskedContent>
    </>
  );
}

function ProductFacts({ product }: { product: ProductRow }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.facts}>
      <Facts
        facts={[
          { label: shared.noun.account, value: product.account_no },
          { label: shared.noun.storage, value: storageName(shared, say, product.storage_type) },
          { label: say.sizeText, value: sizeText(product) },
          { label: say.weight, value: measureText(product.weight_kg) },
          { label: shared.noun.created, value: <Time at={product.created_at} absolute /> },
          { label: shared.noun.updated, value: <Time at={product.updated_at} absolute /> },
        ]}
      />
    </Section>
  );
}

function Shelves({ shelves }: { shelves: ShelfRow[] }) {
  const say = useWords(words);
  const stock = useWords(stockWords);
  const shared = useWords(sharedWords);
  const warehouses = useWarehouseOptions();
  const columns: Column<ShelfRow>[] = [
    column('warehouse', shared.noun.warehouse, (row) => labelOf(warehouses, row.warehouse_no), { alwaysShown: true }),
    column('type', shared.noun.type, (row) => shared.stockType[row.stock_type]),
    numberColumn('lots', stock.column.lots, (row) => row.lots),
    numberColumn('on_hand', stock.column.onHand, (row) => row.on_hand),
    numberColumn('locked', stock.column.locked, (row) => row.locked),
    numberColumn('free', stock.column.free, (row) => row.free),
    numberColumn('sellable', stock.column.sellable, (row) => row.sellable),
    column('expiry', stock.column.earliestExpiry, (row) => row.earliest_expiry),
  ];
  return (
    <Section title={say.shelves} flush>
      <DataTable
        name="shelves"
        bare
        label={say.shelves}
        columns={columns}
        list={plainRows(shelves, (row) => `${row.warehouse_no}/${row.stock_type}`)}
        rowName={(row) => labelOf(warehouses, row.warehouse_no)}
        empty={
          <EmptyState
            title={say.noStock}
            hint={say.noStockHint}
            action={
              <Button variant="default" component={Link} to="/inbound">
                {say.toInbound}
              </Button>
            }
          />
        }
      />
    </Section>
  );
}

function Lots({ product }: { product: ProductRow }) {
  const say = useWords(words);
  const warehouses = useWarehouseOptions();
  const asked = useAsk<typeof stockBySku>('/stock/by-sku', { product_id: product.product_id }, { topics: ['stock'] });
  const stock = useWords(stockWords);
  const ownColumns = useLotColumns(warehouses).filter(({ key }) => !['sku', 'product', 'account'].includes(key));
  const columns: Column<LotRow>[] = [
    column('lot', stock.lotNo, ({ lot_id }) => String(lot_id), { alwaysShown: true }),
    ...ownColumns,
  ];
  const all = `/stock?sku=${encodeURIComponent(product.sku_id)}&accounts=${encodeURIComponent(product.account_no)}`;
  return (
    <Section
      title={say.lots}
      flush
      actions={
        <Button variant="subtle" component={Link} to={all}>
          {say.allLots}
        </Button>
      }
    >
      <AskedContent asked={asked} lines={3}>
        {({ lots, is_more }) => (
          <>
            <DataTable
              name="product-lots"
              bare
              label={say.lots}
              columns={columns}
              list={plainRows(lots, (lot) => String(lot.lot_id))}
              rowName={(lot) => String(lot.lot_id)}
              rowLink={(lot) => `/stock/${lot.lot_id}`}
              empty={<EmptyState title={say.noStock} hint={say.noStockHint} />}
            />
            {is_more && (
              <Text size="sm" c="dimmed" p="sm">
                {say.moreLots(formatNumber(lots.length))}
              </Text>
            )}
          </>
        )}
      </AskedContent>
    </Section>
  );
}
