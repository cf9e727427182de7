import type { OrderDetail } from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
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

/** The parcels that have left the warehouse, and the units that will not be shipped. */
export function OrderParcels({ order: { parcels, short } }: { order: OrderDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  if (parcels.length === 0 && short.length === 0) return null;
  const rows: ShippedRow[] = parcels.flatMap(({ items, ...parcel }, parcelIndex) =>
    items.map((item, index) => ({ key: `${parcelIndex}-${index}`, ...parcel, ...item })),
  );
  const columns: Column<ShippedRow>[] = [
    idColumn('shipment', say.list.shipment, (row) => row.shipment_no, { alwaysShown: true }),
    column('carrier', say.list.carrier, (row) => row.carrier),
    idColumn('sku', shared.noun.sku, (row) => row.sku_id),
    numberColumn('qty', shared.noun.quantity, (row) => row.qty),
    column('batch', shared.noun.batch, (row) => (row.batch_id === '' ? say.detail.noBatch : row.batch_id)),
    column('expiry', shared.noun.expiry, (row) => row.expire_date ?? say.detail.noExpiry),
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
      {short.length > 0 && <ShortUnits short={short} />}
    </>
  );
}

function ShortUnits({ short }: { short: OrderDetail['short'] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<OrderDetail['short'][number]>[] = [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, { alwaysShown: true }),
    numberColumn('qty', shared.noun.quantity, (row) => row.qty),
  ];
  return (
    <Section title={say.detail.short} flush>
      <DataTable
        bare
        name="order-short"
        label={say.detail.short}
        columns={columns}
        list={plainRows(short, ({ sku_id }) => sku_id)}
        rowName={(row) => row.sku_id}
        empty={null}
      />
    </Section>
  );
}
