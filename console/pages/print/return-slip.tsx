import type { PrintedOrder } from '../../../contract/console/print.ts';
import { Barcode } from '../../kit/barcode.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { SlipHead } from './packing-slip.tsx';
import classes from './print.module.css';
import type { Paper } from './print-job.ts';
import { PrintedFacts, Sheet, TableHead, useOrderFacts } from './sheet.tsx';
import { words } from './words.ts';

/** Comes back with the goods, and leads to the order. It names nobody: the parcel may be opened by others. */
export function ReturnSlip({ order, paper }: { order: PrintedOrder; paper: Paper }) {
  const say = useWords(words);
  return (
    <Sheet>
      <SlipHead title={say.printOut['return-slip']} order={order} paper={paper} />
      <PrintedFacts facts={[...useOrderFacts(order), { label: say.warehouse, value: order.warehouse_name }]} />
      {order.return_nos.map((number) => (
        <div key={number} className={classes.returnNo}>
          <div>{say.returnNo}</div>
          <Barcode text={number} widthMm={paper === 'a4' ? 100 : 90} heightMm={12} />
          <div className={classes.codeText}>{number}</div>
        </div>
      ))}
      <p className={classes.intro}>{say.returnIntro}</p>
      <ul className={classes.reasons}>
        {Object.entries(say.reasons).map(([letter, text]) => (
          <li key={letter}>
            <strong>{letter}</strong> {text}
          </li>
        ))}
      </ul>
      <table className={classes.table}>
        <TableHead
          columns={[
            [say.item],
            [say.quantity, classes.number],
            [say.returned, classes.blank],
            [say.reasonLetter, classes.blank],
          ]}
        />
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.line_no}>
              <td>
                <strong className={classes.id}>{line.sku_id}</strong>
                <div>{line.name}</div>
              </td>
              <td className={classes.number}>{formatNumber(line.qty)}</td>
              <td className={classes.blank} />
              <td className={classes.blank} />
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
