import type { PrintedOrder } from '../../../contract/console/print.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { formatInstant } from '../../kit/time-text.ts';
import classes from './print.module.css';
import type { Paper } from './print-job.ts';
import { LotTexts, Marks, OrderCode, PrintedFacts, Sheet, useOrderFacts } from './sheet.tsx';
import { words } from './words.ts';

/** Goes into the parcel. It has the name of the recipient, but neither phone nor address. */
export function PackingSlip({ order, paper }: { order: PrintedOrder; paper: Paper }) {
  const say = useWords(words);
  const { recipient } = order;
  return (
    <Sheet>
      <SlipHead title={say.printOut['packing-slip']} order={order} paper={paper} />
      <PrintedFacts
        facts={[
          { label: say.recipient, value: recipient?.name ?? null },
          ...useOrderFacts(order),
          { label: say.warehouse, value: order.warehouse_name },
        ]}
      />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{say.item}</th>
            <th scope="col">{say.lot}</th>
            <th scope="col" className={classes.number}>
              {say.quantity}
            </th>
            <th scope="col" className={classes.tick}>
              {say.checked}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.line_no}>
              <td>
                <strong className={classes.id}>{line.sku_id}</strong>
                <div>{line.name}</div>
              </td>
              <td>
                <LotTexts lots={line.lots} qty={line.qty} />
              </td>
              <td className={classes.number}>{formatNumber(line.qty)}</td>
              <td className={classes.tick}>
                <span className={classes.box} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.total}>
        {say.total} <strong>{say.units(formatNumber(order.units))}</strong>
      </p>
      {recipient?.note && (
        <p className={classes.note}>
          <strong>{say.note}</strong> {recipient.note}
        </p>
      )}
      <p className={classes.foot}>{say.printedAt(formatInstant(new Date()))}</p>
    </Sheet>
  );
}

/** The title and the shop, and the number as barcodes: beside them on A4, below them on narrow paper. */
export function SlipHead({ title, order, paper }: { title: string; order: PrintedOrder; paper: Paper }) {
  return (
    <header className={classes.head}>
      <div>
        <h2 className={classes.title}>{title}</h2>
        <div className={classes.shop}>{order.store_name}</div>
        <Marks order={order} />
      </div>
      <OrderCode orderNo={order.order_no} widthMm={paper === 'a4' ? 118 : 92} />
    </header>
  );
}
