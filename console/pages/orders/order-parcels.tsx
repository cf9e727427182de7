import type { OrderDetail } from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn, wordColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { carrierName } from './sent-by.ts';
import { words } from './words.ts';

interface ShippedRow {
  key: string;
  shipment_no: string;
  carrier: string | null;
  shipped_at: string;
  sku_id: string;
  qty: number;
  batch_id: string;
  expire_date: string | null;
}

/** The parcels that have left the warehouse, and the units that follow or will not be shipped. */
export function OrderParcels({ order }: { order: OrderDetail }) {
  const { parcels, short } = order;
  const say = useWords(words);
  const shared = useWords(sharedWords);
  if (parcels.length === 0 && short.length === 0) return null;
  const rows: ShippedRow[] = parcels.flatMap(({ items, ...parcel }, parcelIndex) =>
    items.map((item, index) => ({ key: `${parcelIndex}-${index}`, ...parcel, ...item })),
  );
  const columns: Column<ShippedRow>[] = [
    idColumn('shipment', say.list.shipment, (row) => row.shipment_no, { alwaysShown: true }),
    column('carrier', say.list.carrier, (row) => carrierName(row.carrier, say.shipMethod)),
    idColumn('sku', shared.noun.sku, (row) => row.sku_id),
    numberColumn('qty', shared.noun.quantity, (row) => row.qty),
    column('batch', shared.noun.batch, (row) => (row.batch_id === '' ? say.detail.noBatch : row.batch_id)),
    wordColumn('expiry', shared.noun.expiry, (row) => row.expire_date ?? say.detail.noExpiry),
    column('shippedAt', say.detail.shippedAt, (row) => <Time at={row.shipped_at} absolute />),
  ];
  return (
    <>
      {rows.length > 0 && (
        <Section title={say.detail.parcels} flush>
          <DataTable
            bare
            name="order-parcels"
            label={say.detail.parcels}
            columns={columns}
            list={plainRows(rows, ({ key }) => key)}
            rowName={(row) => row.shipment_no}
            empty={null}
          />
        </Section>
      )}
      <Units title={say.detail.notShippedYet} order={order} units={notShippedYet(order)} />
      <Units title={say.detail.short} order={order} units={short} />
    </>
  );
}

type UnitsOfSku = OrderDetail['short'][number];

/** The rest of an order of which only some parcels have left. */
function notShippedYet({ status, lines, parcels }: OrderDetail): UnitsOfSku[] {
  if (status !== 'partially_shipped') return [];
  const rest = new Map<string, number>();
  for (const { sku_id, qty } of lines) rest.set(sku_id, (rest.get(sku_id) ?? 0) + qty);
  for (const { sku_id, qty } of parcels.flatMap(({ items }) => items)) rest.set(sku_id, (rest.get(sku_id) ?? 0) - qty);
  return [...rest].flatMap(([sku_id, qty]) => (qty > 0 ? [{ sku_id, qty }] : []));
}

function Units({ title, order, units }: { title: string; order: OrderDetail; units: UnitsOfSku[] }) {
  const shared = useWords(sharedWords);
  if (units.length === 0) return null;
  const columns: Column<UnitsOfSku>[] = [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, { alwaysShown: true }),
    column('product', shared.noun.product, (row) => order.lines.find(({ sku_id }) => sku_id === row.sku_id)?.name),
    numberColumn('qty', shared.noun.quantity, (row) => row.qty),
  ];
  return (
    <Section title={title} flush>
      <DataTable
        bare
        name="order-units"
        label={title}
        columns={columns}
        list={plainRows(units, ({ sku_id }) => sku_id)}
        rowName={(row) => row.sku_id}
        empty={null}
      />
    </Section>
  );
}
