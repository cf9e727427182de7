import type { ReactNode } from 'react';
import type { PrintedOrder } from '../../../contract/console/print.ts';
import { Barcode, QrSymbol } from '../../kit/barcode.tsx';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { formatDate } from '../../kit/time-text.ts';
import { sentBy } from '../orders/sent-by.ts';
import { words as orderWords } from '../orders/words.ts';
import classes from './print.module.css';
import { words } from './words.ts';

/** One or more pages of paper; the next sheet begins on a new page. `full`: it fills its page, as labels do. */
export function Sheet({ children, full = false }: { children: ReactNode; full?: boolean }) {
  return <div className={`${classes.sheet} ${full ? classes.full : ''}`}>{children}</div>;
}

/** Warnings on the paper: it is not for shipping, or it exists more than once. */
export function Marks({ order: { environment, prints } }: { order: Pick<PrintedOrder, 'environment' | 'prints'> }) {
  const say = useWords(words);
  if (environment !== 'uat' && prints < 2) return null;
  return (
    <div className={classes.marks}>
      {environment === 'uat' && <strong className={classes.inverse}>{say.test}</strong>}
      {prints > 1 && <strong className={classes.boxed}>{say.reprint(String(prints))}</strong>}
    </div>
  );
}

/** Our number as Code 128 and as QR, with its text. */
export function OrderCode({
  orderNo,
  widthMm,
  heightMm = 12,
}: {
  orderNo: string;
  widthMm: number;
  heightMm?: number;
}) {
  const qrMm = heightMm + 6;
  return (
    <div className={classes.orderCode}>
      <div>
        <Barcode text={orderNo} widthMm={widthMm - qrMm - 4} aloneMm={widthMm} heightMm={heightMm} hasQr />
        <div className={classes.codeText}>{orderNo}</div>
      </div>
      <QrSymbol text={orderNo} sizeMm={qrMm} />
    </div>
  );
}

export interface PrintedFact {
  label: string;
  value: ReactNode;
  wide?: boolean;
}

/** Facts without a value are left out. */
export function PrintedFacts({ facts }: { facts: PrintedFact[] }) {
  const given = facts.filter(({ value }) => value !== null && value !== '');
  return (
    <dl className={classes.facts}>
      {given.map(({ label, value, wide = false }) => (
        <div key={label} className={wide ? classes.wide : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The facts that identify an order on every slip. */
export function useOrderFacts(order: PrintedOrder): PrintedFact[] {
  const say = useWords(words);
  return [
    { label: say.order, value: <strong>{order.partner_number}</strong> },
    { label: say.shopOrder, value: order.name },
    { label: say.ordered, value: formatDate(order.created_at) },
    { label: say.sentBy, value: useSentBy(order) },
    { label: say.shipmentNo, value: order.parcels.map(({ shipment_no }) => shipment_no).join(', ') },
  ];
}

export function useSentBy(order: Pick<PrintedOrder, 'logistics_type' | 'express_type'>): string {
  return sentBy(order, useWords(orderWords).shipMethod);
}

/** The head of a table, which Chromium repeats on each page. A column may have a class. */
export function TableHead({ columns }: { columns: [title: string, className?: string | undefined][] }) {
  return (
    <thead>
      <tr>
        {columns.map(([title, className]) => (
          <th key={title} scope="col" className={className}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** `B-7 · 2030-01-01 × 3`; a line that has only one lot does not repeat its quantity. */
export function LotTexts({ lots, qty }: { lots: PrintedOrder['lines'][number]['lots']; qty: number }) {
  const shown = lots.filter(({ batch_id, expire_date }) => batch_id !== '' || expire_date !== null);
  return shown.map((lot) => (
    <div key={`${lot.batch_id} ${lot.expire_date}`}>
      {lotText(lot)}
      {lot.qty !== qty && ` ×\u00a0${lot.qty}`}
    </div>
  ));
}

export function lotText({ batch_id, expire_date }: { batch_id: string; expire_date: string | null }): string {
  return [batch_id, expire_date].filter((part) => part !== null && part !== '').join(' · ');
}

/** The temperature at which a parcel travels decides its way, so others than ambient stand out. */
export function Temperatures({ types }: { types: string[] }) {
  const { storageType } = useWords(sharedWords);
  const names: Record<string, string> = storageType;
  const shown = types.filter((type) => type !== 'unspecified');
  return shown.map((type) => (
    <strong key={type} className={type === 'ambient' ? classes.boxed : classes.inverse}>
      {names[type] ?? type}
    </strong>
  ));
}
