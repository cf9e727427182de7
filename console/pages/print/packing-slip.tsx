import type { PrintedOrder } from '../../../contract/console/print.ts';
import { Barcode, QrSymbol } from '../../kit/barcode.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { formatInstant } from '../../kit/time-text.ts';
import classes from './print.module.css';
import type { Paper } from './print-job.ts';
import { LotTexts, Marks, OrderCode, PrintedFacts, Sheet, TableHead, useOrderFacts } from './sheet.tsx';
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
        <TableHead
          columns={[[say.item], [say.lot, classes.lots], [say.quantity, classes.number], [say.checked, classes.tick]]}
        />
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

/** The title and the shop, and the number as barcodes: on A4 beside them, on narrow paper as wide as the paper. */
export function SlipHead({ title, order, paper }: { title: string; order: PrintedOrder; paper: Paper }) {
  const { order_no, store_name } = order;
  const heading = (
    <div>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.shop}>{store_name}</div>
      <Marks order={order} />
    </div>
  );
  if (paper === 'a4')
    return (
      <header className={classes.head}>
        {heading}
        <OrderCode orderNo={order_no} widthMm={118} />
      </header>
    );
  return (
    <header className={classes.narrowHead}>
      <div className={classes.spread}>
        {heading}
        <QrSymbol text={order_no} sizeMm={16} />
      </div>
      <Barcode text={order_no} widthMm={92} heightMm={10} hasQr />
      <div className={classes.codeText}>{order_no}</div>
    </header>
  );
}
