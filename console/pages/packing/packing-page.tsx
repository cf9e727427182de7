import { Alert, Anchor, Button, SegmentedControl, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { PackingLine, PackingOrder } from '../../../contract/console/packing.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { ScanField } from '../../kit/scan-field.tsx';
import layout from '../../kit/scan-layout.module.css';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { storageWord } from '../orders/order-lines.tsx';
import { HiddenNote } from '../orders/order-recipient.tsx';
import { sentBy } from '../orders/sent-by.ts';
import { words as orderWords } from '../orders/words.ts';
import { PrintMenu } from '../print/print-menu.tsx';
import { PlannedShipments, usePlanned } from '../shipping/planned-shipments.tsx';
import { ShipmentWarnings } from '../shipping/shipment-warnings.tsx';
import classes from './packing.module.css';
import { lastParcelOf, parcelNosOf, parcelsMax } from './packing-table.ts';
import { type Packing, usePacking } from './use-packing.ts';
import { words } from './words.ts';

/** For staff with a scanner: each item of an order is checked when it goes into a parcel, and then the order is shipped. */
export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <>
      <PageHeader title={say.title} />
      {useMay('staff') ? <PackingTable /> : <EmptyState title={shared.errorKind.forbidden} hint={shared.role.staff} />}
    </>
  );
}

function PackingTable() {
  const packing = usePacking();
  const { say, order } = packing;
  return (
    <div className={layout.columns}>
      <div className={layout.main}>
        <ScanField
          label={fieldLabel(packing)}
          onScan={packing.scan}
          last={packing.last}
          turn={packing.turn}
          // Also before an order is open: a fast scanner types the multiplier before the response arrives.
          multiplies
        />
        {packing.several && <ChooseOrder packing={packing} />}
        {order && packing.warnings && <Warnings packing={packing} />}
        {order === null ? (
          <EmptyState title={say.nothing} hint={say.nothingHint} />
        ) : (
          <OrderOnTable order={order} packing={packing} />
        )}
      </div>
      <PlannedShipments rows={usePlanned()} onResult={packing.showUndone} />
    </div>
  );
}

function fieldLabel({ say, order, stage, labels }: Packing): string {
  if (order === null || stage === 'order') return say.scanOrder;
  if (stage === 'items') return say.scanItem(order.partner_number);
  const parcel = parcelNosOf(order).find((one) => labels[one] === undefined) ?? 1;
  return say.scanLabel(formatNumber(parcel));
}

function ChooseOrder({ packing: { several, say, shared, take } }: { packing: Packing }) {
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={say.several(several!.code)}>
      <div className={layout.choices}>
        {several!.orders.map((order) => (
          <Button key={order.order_id} size="md" variant="default" onClick={() => take(order)}>
            {[order.account_no, shared.orderStatus[order.status]].join(' · ')}
          </Button>
        ))}
      </div>
    </Alert>
  );
}

/** A scan of another number corrects, too. */
function Warnings({ packing }: { packing: Packing }) {
  const { say, sayShip, warnings } = packing;
  return (
    <ShipmentWarnings orders={[{ name: null, warnings: warnings! }]}>
      <Button size="md" color="red.8" onClick={() => void packing.shipAnyway()}>
        {sayShip.shipAnyway}
      </Button>
      <Button
        size="md"
        variant="default"
        onClick={() => {
          packing.setWarnings(null);
          packing.setLabels({});
          packing.nextTurn();
        }}
      >
        {say.correct}
      </Button>
    </ShipmentWarnings>
  );
}

function OrderOnTable({ order, packing }: { order: PackingOrder; packing: Packing }) {
  const { say, shared } = packing;
  const { pick, shipMethod } = useWords(orderWords);
  return (
    <Section
      title={pick.current}
      actions={<StatusBadge tone={orderTone[order.status]}>{shared.orderStatus[order.status]}</StatusBadge>}
    >
      <Anchor component={Link} to={`/orders/${order.order_id}`} className={layout.number ?? ''}>
        {order.partner_number}
      </Anchor>
      <Text size="sm" c="dimmed">
        {[order.account_no, order.name, sentBy(order, shipMethod), order.shipment_no].filter(Boolean).join(' · ')}
      </Text>
      {order.has_note && <HiddenNote key={order.order_id} orderId={order.order_id} className={layout.note} />}
      {order.not_workable === null && <Parcels order={order} packing={packing} />}
      <ol className={layout.lines} aria-label={say.lines}>
        {order.lines.map((line) => (
          <Line key={line.sku_id} line={line} packing={packing} />
        ))}
      </ol>
      <TableButtons order={order} packing={packing} />
    </Section>
  );
}

function Line({ line, packing: { say, shared } }: { line: PackingLine; packing: Packing }) {
  const { sku_id, name, storage_type, qty, packed } = line;
  const left = Math.max(0, qty - packed);
  return (
    <li className={classes.line} data-done={left === 0 || undefined}>
      <div className={layout.what}>
        <div className={layout.sku}>{sku_id}</div>
        <div>
          {name} <span className={layout.dimmed}>{storageWord(storage_type, shared.storageType)}</span>
        </div>
      </div>
      <div className={classes.count}>
        <div className={classes.left}>
          {left === 0 ? <IconCheck size={26} aria-label={say.done} /> : formatNumber(left)}
          {left > 0 && <span className={classes.leftWord}> {say.left}</span>}
        </div>
        <div className={layout.dimmed}>{say.of(formatNumber(packed), formatNumber(qty))}</div>
      </div>
    </li>
  );
}

function Parcels({ order, packing }: { order: PackingOrder; packing: Packing }) {
  const { say, parcelNo, setParcel, stage } = packing;
  if (stage !== 'items') return null;
  const count = Math.max(parcelNo, lastParcelOf(order));
  const hasUnits = (parcel: number) => order.parcels.some(({ parcel_no }) => parcel_no === parcel);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return (
    <div className={classes.parcels}>
      {count > 1 && (
        <SegmentedControl
          size="md"
          aria-label={say.parcels}
          value={String(parcelNo)}
          onChange={(value) => setParcel(Number(value))}
          data={numbers.map((one) => ({ value: String(one), label: say.parcel(formatNumber(one)) }))}
        />
      )}
      <Button
        size="md"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={!hasUnits(count) || count >= parcelsMax}
        onClick={() => setParcel(count + 1)}
      >
        {say.newParcel}
      </Button>
    </div>
  );
}

/** At the bottom of a phone's screen, within reach of the thumb. */
function TableButtons({ order, packing }: { order: PackingOrder; packing: Packing }) {
  const { say, stage, parcelNo } = packing;
  const [asksEmpty, setAsksEmpty] = useState(false);
  const isWorkable = order.not_workable === null;
  const hasUnits = order.parcels.some(({ parcel_no }) => parcel_no === parcelNo);
  const isOneParcel = parcelNosOf(order).length === 1;
  return (
    <div className={classes.buttons}>
      {isWorkable && stage === 'label' && isOneParcel && order.shipment_no !== null && (
        <Button size="md" onClick={() => void packing.shipWith(order.shipment_no!)}>
          {say.shipWith(order.shipment_no)}
        </Button>
      )}
      {isWorkable && stage === 'label' && (
        <PrintMenu orderIds={[order.order_id]} parcels={parcelNosOf(order).length} size="md" />
      )}
      <Button size="md" variant="default" onClick={packing.putAway}>
        {say.otherOrder}
      </Button>
      {isWorkable && hasUnits && (
        <Button size="md" variant="default" onClick={() => setAsksEmpty(true)}>
          {say.empty(formatNumber(parcelNo))}
        </Button>
      )}
      {isWorkable && !order.is_complete && (
        <Button
          size="md"
          variant="subtle"
          color="gray"
          onClick={() => packing.choose(stage === 'items' ? 'label' : 'items')}
        >
          {stage === 'items' ? say.shipUnscanned : say.backToItems}
        </Button>
      )}
      <ConfirmDialog
        opened={asksEmpty}
        onClose={() => setAsksEmpty(false)}
        danger
        title={say.emptyQuestion(formatNumber(parcelNo))}
        confirmLabel={say.empty(formatNumber(parcelNo))}
        onConfirm={() => {
          setAsksEmpty(false);
          void packing.empty();
        }}
      >
        {say.emptyEffect}
      </ConfirmDialog>
    </div>
  );
}
