import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LineLot, OrderDetail, OrderLine, PassedOverLot } from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn, wordColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatMoney, formatNumber, sumMoney } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { OrderParcels } from './order-parcels.tsx';
import classes from './orders.module.css';
import { words } from './words.ts';

/** The lines of an order with their lots and the reasons for choosing them, and its parcels. */
export function OrderLines({ order }: { order: OrderDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<OrderLine>[] = [
    idColumn('sku', shared.noun.sku, (line) => line.sku_id, { alwaysShown: true }),
    column('product', shared.noun.product, (line) => <LineName line={line} />),
    numberColumn('qty', shared.noun.quantity, (line) => line.qty),
    column('lots', say.detail.fromLots, (line) => <TakenLots lots={line.lots} />),
    wordColumn('storage', shared.noun.storage, (line) =>
      storageWord(line.storage_type, { ...shared.storageType, unspecified: shared.unspecified }),
    ),
    ...(order.lines.some(({ price }) => price !== null)
      ? [
          column('price', say.detail.price, (line: OrderLine) => line.price && formatMoney(line.price), right),
          column(
            'amount',
            say.detail.amount,
            (line: OrderLine) => line.price && formatMoney(sumMoney([amountOf(line)])),
            right,
          ),
        ]
      : []),
  ];
  return (
    <>
      <Section title={say.detail.lines} flush>
        <DataTable
          bare
          name="order-lines"
          label={say.detail.lines}
          columns={columns}
          list={plainRows(order.lines, ({ line_no }) => String(line_no))}
          rowName={(line) => line.sku_id}
          empty={null}
        />
        <OrderTotal order={order} />
        <OtherLots order={order} />
      </Section>
      <OrderParcels order={order} />
    </>
  );
}

const right = { align: 'right' } as const;

function amountOf({ price, qty }: OrderLine) {
  return { amount: price ?? '0', units: qty };
}

/** The amount of all lines, and with the delivery charge. */
function OrderTotal({ order: { lines, delivery_charge } }: { order: OrderDetail }) {
  const say = useWords(words);
  if (lines.every(({ price }) => price === null)) return null;
  const goods = sumMoney(lines.map(amountOf));
  const total = sumMoney([goods, delivery_charge ?? '0'].map((amount) => ({ amount, units: 1 })));
  return (
    <dl className={classes.totals}>
      <dt>{say.detail.goodsTotal}</dt>
      <dd>{formatMoney(goods)}</dd>
      {delivery_charge !== null && (
        <>
          <dt>{say.detail.deliveryCharge}</dt>
          <dd>{formatMoney(delivery_charge)}</dd>
          <dt>{say.detail.orderTotal}</dt>
          <dd>
            <strong>{formatMoney(total)}</strong>
          </dd>
        </>
      )}
    </dl>
  );
}

export function storageWord(storage: string, known: Record<string, string>): string {
  return known[storage] ?? storage;
}

function LineName({ line }: { line: OrderLine }) {
  const say = useWords(words);
  const { name, batch_id, combo_sku, identifier } = line;
  const small = [
    batch_id !== null && say.detail.batchOnly(batch_id),
    combo_sku !== null && say.detail.combo(combo_sku),
    identifier,
  ].filter(Boolean);
  return (
    <>
      <div>{name}</div>
      {small.length > 0 && <div className={classes.small}>{small.join(' · ')}</div>}
    </>
  );
}

function TakenLots({ lots }: { lots: LineLot[] }) {
  const say = useWords(words);
  if (lots.length === 0) return <span className={classes.small}>{say.detail.noLots}</span>;
  return (
    <ul className={classes.lots}>
      {lots.map(({ lot_id, batch_id, expire_date, qty, why }) => (
        <li key={lot_id}>
          <div className={classes.lot}>
            <strong>{formatNumber(qty)}</strong>
            <Anchor component={Link} to={`/stock/${lot_id}`} inherit>
              {batch_id === '' ? say.detail.noBatch : batch_id}
            </Anchor>
            <span>{expire_date === null ? say.detail.noExpiry : say.detail.expires(expire_date)}</span>
          </div>
          <div className={classes.small}>{say.detail.why[why]}</div>
        </li>
      ))}
    </ul>
  );
}

function OtherLots({ order: { allocation, status } }: { order: OrderDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { as_of, at, passed_over, has_more, sellable_from } = allocation;
  const isWaiting = status === 'awaiting_stock';
  if ((at === null && !isWaiting) || (isWaiting && passed_over.length === 0)) return null;
  const columns: Column<PassedOverLot>[] = [
    idColumn('sku', shared.noun.sku, (lot) => lot.sku_id, { alwaysShown: true }),
    column('batch', shared.noun.batch, (lot) => (lot.batch_id === '' ? say.detail.noBatch : lot.batch_id)),
    wordColumn('expiry', shared.noun.expiry, (lot) => lot.expire_date ?? say.detail.noExpiry),
    numberColumn('onHand', say.detail.onHand, (lot) => lot.on_hand),
    numberColumn('free', say.detail.free, (lot) => lot.free),
    column('why', say.detail.whyNot, (lot) => say.detail.passedOver[lot.why]),
  ];
  const asOf = isWaiting ? say.detail.othersWaiting : as_of === 'then' ? say.detail.othersThen : say.detail.othersNow;
  const hints = [
    asOf,
    sellable_from !== null && say.detail.sellableFrom(sellable_from),
    has_more && say.detail.othersMore,
  ].filter(Boolean);
  return (
    <details className={classes.details}>
      <summary>{`${say.detail.others} (${formatNumber(passed_over.length)})`}</summary>
      <p className={classes.small}>{hints.join(' · ')}</p>
      {passed_over.length === 0 ? (
        <p>{say.detail.othersNone}</p>
      ) : (
        <DataTable
          bare
          name="order-other-lots"
          label={say.detail.others}
          columns={columns}
          list={plainRows(passed_over, ({ lot_id }) => String(lot_id))}
          rowName={(lot) => lot.sku_id}
          rowLink={(lot) => `/stock/${lot.lot_id}`}
          empty={null}
        />
      )}
    </details>
  );
}
