import type { PrintedOrder } from '../../../contract/console/print.ts';
import { Barcode, QrSymbol } from '../../kit/barcode.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { carrierName } from '../orders/sent-by.ts';
import { words as orderWords } from '../orders/words.ts';
import classes from './print.module.css';
import type { Paper } from './print-job.ts';
import { Marks, OrderCode, Sheet, Temperatures, useSentBy } from './sheet.tsx';
import { readStoreLabel, type StoreLabelFields } from './store-label-fields.ts';
import { words } from './words.ts';

/** The width between the margins of both labels. */
const contentMm = 92;
/** The same for two barcodes in a row. */
const halfMm = 43;

/** One label for each parcel: those that have left, otherwise as many as were asked for. */
export function ShippingLabels({ order, paper, parcels }: { order: PrintedOrder; paper: Paper; parcels: number }) {
  const labels: (PrintedOrder['parcels'][number] | null)[] =
    order.parcels.length > 0 ? order.parcels : Array.from({ length: parcels }, () => null);
  return labels.map((parcel, index) => (
    <ShippingLabel
      key={parcel?.shipment_no ?? index}
      order={order}
      paper={paper}
      parcel={parcel}
      place={{ number: index + 1, of: labels.length }}
    />
  ));
}

interface ShippingLabelProps {
  order: PrintedOrder;
  paper: Paper;
  parcel: PrintedOrder['parcels'][number] | null;
  place: { number: number; of: number };
}

function ShippingLabel({ order, paper, parcel, place }: ShippingLabelProps) {
  const say = useWords(words);
  const names: Record<string, string> = useWords(orderWords).shipMethod;
  const { recipient, express_type } = order;
  const carrier = carrierName(parcel?.carrier ?? express_type, names);
  const isTall = paper === '100x150';
  return (
    <Sheet full>
      <header className={classes.labelHead}>
        <div>
          <div className={classes.carrier}>{carrier ?? say.printOut['shipping-label']}</div>
          <div>{order.logistics_type === null ? null : (names[order.logistics_type] ?? order.logistics_type)}</div>
        </div>
        <div className={classes.badges}>
          <Temperatures types={order.storage_types} />
          {place.of > 1 && (
            <strong className={classes.boxed}>{say.parcel(String(place.number), String(place.of))}</strong>
          )}
          <Marks order={order} />
        </div>
      </header>
      <div className={classes.to}>
        <div className={classes.small}>{say.to}</div>
        <div className={classes.name}>{recipient?.name}</div>
        <div className={classes.phone}>{recipient?.phone}</div>
        <div className={classes.address}>
          {[recipient?.zip, recipient?.city, recipient?.address].filter(Boolean).join(' ')}
        </div>
      </div>
      {parcel !== null && (
        <div className={classes.shipment}>
          <div className={classes.small}>{say.shipmentNo}</div>
          <Barcode text={parcel.shipment_no} widthMm={contentMm} heightMm={isTall ? 20 : 9} />
          <div className={classes.shipmentNo}>{parcel.shipment_no}</div>
        </div>
      )}
      <LabelFoot order={order} isTall={isTall} hasUnits={place.of === 1} />
    </Sheet>
  );
}

interface LabelFootProps {
  order: PrintedOrder;
  isTall: boolean;
  hasUnits?: boolean;
  hasBars?: boolean;
}

/** The sender and the number of the order, which staff scan. The units are those of the whole order. */
function LabelFoot({ order, isTall, hasUnits = true, hasBars = true }: LabelFootProps) {
  const say = useWords(words);
  return (
    <footer className={classes.labelFoot}>
      <div className={classes.spread}>
        <div>
          <div>
            <span className={classes.small}>{say.from}</span>{' '}
            {[order.store_name, order.warehouse_name].filter(Boolean).join(' · ')}
          </div>
          <div className={classes.orderLine}>
            <span className={classes.small}>{say.order}</span> <strong>{order.partner_number}</strong>
          </div>
          {hasUnits && <div>{say.units(formatNumber(order.units))}</div>}
        </div>
        <QrSymbol text={order.order_no} sizeMm={isTall ? 18 : 14} />
      </div>
      {hasBars && <Barcode text={order.order_no} widthMm={contentMm} heightMm={isTall ? 14 : 8} hasQr />}
      <div className={classes.codeText}>{order.order_no}</div>
    </footer>
  );
}

/** The label for a convenience store: the fields that the partner sent, with its barcodes. */
export function StoreLabel({ order, paper }: { order: PrintedOrder; paper: Paper }) {
  const say = useWords(words);
  const { storeName, storeNo, codes, texts } = readStoreLabel(order.store_pickup_label_data ?? {});
  const isTall = paper === '100x150';
  // The barcode of our number gives way to those of the store; the QR code of it stays.
  const isCrowded = codes.length > (isTall ? 3 : 2);
  const title = storeName ?? (storeNo === null ? say.store : say.storeNo(storeNo));
  return (
    <Sheet full>
      <header className={classes.labelHead}>
        <div>
          <div className={classes.small}>{useSentBy(order) || (title !== say.store && say.store)}</div>
          <div className={classes.carrier}>{title}</div>
          {storeName !== null && storeNo !== null && <div>{say.storeNo(storeNo)}</div>}
        </div>
        <div className={classes.badges}>
          <Temperatures types={order.storage_types} />
          <Marks order={order} />
        </div>
      </header>
      <div className={`${classes.to} ${classes.inLine}`}>
        <div className={classes.name}>{order.recipient?.name}</div>
        <div className={classes.phone}>{order.recipient?.phone}</div>
      </div>
      {codes.length > 0 && <StoreCodes codes={codes} isTall={isTall} isCrowded={isCrowded} />}
      <dl className={classes.labelTexts}>
        {texts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <LabelFoot order={order} isTall={isTall} hasBars={!isCrowded} />
    </Sheet>
  );
}

type StoreCodesProps = Pick<StoreLabelFields, 'codes'> & { isTall: boolean; isCrowded: boolean };

/** Two barcodes share a row if there are many. */
function StoreCodes({ codes, isTall, isCrowded }: StoreCodesProps) {
  const tallQrMm = isCrowded ? 20 : 26;
  return (
    <div className={`${classes.shipment} ${classes.codes}`}>
      {codes.map(({ name, text, isQr }) => (
        <div key={name} className={isQr ? classes.qrCell : undefined}>
          {isQr ? (
            <QrSymbol text={text} sizeMm={isTall ? tallQrMm : 16} />
          ) : (
            <Barcode
              text={text}
              widthMm={isCrowded ? halfMm : contentMm}
              aloneMm={contentMm}
              heightMm={isTall ? 16 : 10}
            />
          )}
          <div className={classes.codeText}>{text}</div>
        </div>
      ))}
    </div>
  );
}

/** Labels with nothing but the number, for boxes, slots and shelves: many on A4, or one on a label. */
export function OrderCodes({ orders, paper }: { orders: PrintedOrder[]; paper: Paper }) {
  if (paper === 'a4')
    return (
      <Sheet>
        <div className={classes.codeGrid}>
          {orders.map((order) => (
            <div key={order.order_id} className={classes.codeCell}>
              <CodeText order={order} />
              <OrderCode orderNo={order.order_no} widthMm={84} />
            </div>
          ))}
        </div>
      </Sheet>
    );
  return orders.map((order) => (
    <Sheet key={order.order_id} full>
      <CodeText order={order} />
      <div className={classes.bigCode}>
        <QrSymbol text={order.order_no} sizeMm={40} />
        <Barcode text={order.order_no} widthMm={contentMm} heightMm={18} hasQr />
        <div className={classes.codeText}>{order.order_no}</div>
      </div>
    </Sheet>
  ));
}

function CodeText({ order }: { order: PrintedOrder }) {
  return (
    <div className={classes.spread}>
      <strong className={classes.id}>{order.partner_number}</strong>
      <Marks order={order} />
      <span className={classes.account}>{order.account_no}</span>
    </div>
  );
}
