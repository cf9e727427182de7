import type { PickList } from '../../../contract/console/print.ts';
import { QrSymbol } from '../../kit/barcode.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useSession } from '../../kit/session.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import classes from './print.module.css';
import { lotText, Sheet, TableHead } from './sheet.tsx';
import { words } from './words.ts';

/** A walk through one warehouse. It takes plain data, so that chosen orders and batches print alike. */
export function PickListSheet({ list, batch }: { list: PickList; batch: number | null }) {
  const say = useWords(words);
  const { username } = useSession();
  const prints = Math.max(...list.slots.map((slot) => slot.prints));
  const units = list.slots.reduce((sum, slot) => sum + slot.units, 0);
  return (
    <Sheet>
      <header className={classes.head}>
        <div>
          <h2 className={classes.title}>
            {[say.printOut['pick-list'], batch !== null && say.batchNo(String(batch))].filter(Boolean).join(' · ')}
          </h2>
          <div className={classes.shop}>
            {say.warehouse} {list.warehouse_no} {list.warehouse_name}
          </div>
          {prints > 1 && <strong className={classes.boxed}>{say.reprint(String(prints))}</strong>}
        </div>
        <div className={classes.right}>
          <strong>
            {say.orders(formatNumber(list.slots.length))} · {say.units(formatNumber(units))}
          </strong>
          <div>{say.printedBy(formatInstant(new Date()), username)}</div>
        </div>
      </header>
      <Walk list={list} />
      <Slots list={list} batch={batch} />
    </Sheet>
  );
}

function Walk({ list }: { list: PickList }) {
  const say = useWords(words);
  const hasAccounts = new Set(list.lines.map(({ account_no }) => account_no)).size > 1;
  return (
    <table className={classes.table}>
      <TableHead columns={[[say.location], [say.item], [say.quantity, classes.number], [say.checked, classes.tick]]} />
      <tbody>
        {list.lines.map((line) => (
          <tr key={`${line.account_no} ${line.sku_id} ${line.batch_id} ${line.expire_date}`}>
            <td className={classes.location}>{line.location ?? say.noLocation}</td>
            <td>
              <strong className={classes.id}>{line.sku_id}</strong> {hasAccounts && line.account_no}
              <div>{line.name}</div>
              <div className={classes.lot}>{lotText(line)}</div>
              <div className={classes.forSlots}>
                {say.slots}
                {line.slots.map(({ slot, qty }) => (
                  <span key={slot}>{say.forSlot(String(slot), formatNumber(qty))}</span>
                ))}
              </div>
            </td>
            <td className={classes.number}>{formatNumber(line.qty)}</td>
            <td className={classes.tick}>
              <span className={classes.box} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Which order is in which slot, with the code that packers scan; without a scanner, they enter the text beside it. */
function Slots({ list, batch }: { list: PickList; batch: number | null }) {
  const say = useWords(words);
  return (
    <ul className={classes.slotGrid}>
      {list.slots.map(({ slot, order_no, partner_number, account_no, units }) => (
        <li key={slot} className={classes.slotCell}>
          <span className={classes.slotNo}>{slot}</span>
          <QrSymbol text={order_no} sizeMm={14} />
          <div>
            <strong className={classes.id}>{partner_number}</strong>
            {batch !== null && <div>{`${batch}-${slot}`}</div>}
            <div>
              {account_no} · {say.units(formatNumber(units))}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
