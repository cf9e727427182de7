import { Alert, Anchor, Badge, Button, Group, Kbd } from '@mantine/core';
import { IconInfoCircle, IconPlayerPause } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { OrderDetail, OrderStep, orderDetail } from '../../../contract/console/orders.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { DangerButton } from '../../kit/danger-button.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatMoney, formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone, orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useActorName } from '../../kit/use-actor-name.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { PrintMenu } from '../print/print-menu.tsx';
import { isLeaving, LeavingBadge, PlannedShipments, usePlanned } from '../shipping/planned-shipments.tsx';
import { changeWords } from './change-words.ts';
import { type OrderAction, OrderActionDialog } from './order-actions.tsx';
import { ChangeRecipient } from './order-changes.tsx';
import { OrderHistory } from './order-history.tsx';
import { useOrderKeys } from './order-keys.ts';
import { OrderLines } from './order-lines.tsx';
import { OrderNextStepsPanel } from './order-next-steps.tsx';
import { OrderRecipient } from './order-recipient.tsx';
import classes from './orders.module.css';
import { carrierName, sentBy } from './sent-by.ts';
import { words } from './words.ts';

export function Component() {
  const say = useWords(words);
  const mayChange = useMay('staff');
  const orderId = Number(useParams().orderId);
  const asked = useAsk<typeof orderDetail>(
    '/orders/detail',
    { order_id: orderId },
    { topics: ['orders', 'callbacks'] },
  );
  const [action, setAction] = useState<OrderAction | null>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const order = asked.answer;
  const planned = usePlanned().filter(({ order_id }) => order_id === orderId);
  const leaves = planned.some(isLeaving);
  const steps = !mayChange || leaves ? [] : (order?.can.steps ?? []);
  const next = steps[0];
  const mayCancel = mayChange && order?.can.cancel === true;
  useOrderKeys({
    n: () => noteField.current?.focus(),
    s: next && (() => setAction(next)),
    c: mayCancel ? () => setAction('cancel') : undefined,
  });

  return (
    <>
      <PageHeader
        back={{ to: '/orders', label: say.title }}
        title={order ? order.partner_number : say.orderTitle}
        aside={order && <HeaderBadges order={order} leaves={leaves} />}
        actions={
          order &&
          mayChange && (
            <>
              <ChangeButtons order={order} mayCancel={mayCancel} onAction={setAction} />
              <StepButtons steps={steps} onAction={setAction} />
            </>
          )
        }
      />
      <AskedContent asked={asked} lines={10}>
        {(found) => (
          <>
            <PlannedShipments rows={planned} />
            <OrderAlerts order={found} />
            <OrderFacts order={found} />
            <OrderLines order={found} />
            <div className={classes.columns}>
              <OrderHistory order={found} noteField={noteField} />
              <div>
                <OrderRecipient key={found.order_id} order={found} />
              </div>
            </div>
            {mayChange && <KeyHints hasNext={next !== undefined} mayCancel={mayCancel} />}
            <OrderActionDialog action={action} orders={[found]} onClose={() => setAction(null)} onDone={() => {}} />
          </>
        )}
      </AskedContent>
    </>
  );
}

/** The next step is the last button. */
function StepButtons({ steps, onAction }: { steps: OrderStep[]; onAction(action: OrderAction): void }) {
  const say = useWords(words);
  return steps.toReversed().map((step) => (
    <Button key={step} variant={step === steps[0] ? 'filled' : 'default'} onClick={() => onAction(step)}>
      {say.step[step]}
    </Button>
  ));
}

interface ChangeButtonsProps {
  order: OrderDetail;
  mayCancel: boolean;
  onAction(action: OrderAction): void;
}

/** Before picking, the order can be held, released, changed and cancelled; it can always be printed. */
function ChangeButtons({ order, mayCancel, onAction }: ChangeButtonsProps) {
  const say = useWords(changeWords);
  const { cancelOrder } = useWords(words);
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <PrintMenu orderIds={[order.order_id]} />
      {order.can.change && (
        <>
          <Button variant="default" onClick={() => setChanging(true)}>
            {say.update}
          </Button>
          <Button variant="default" onClick={() => onAction(order.held ? 'release' : 'hold')}>
            {order.held ? say.release : say.hold}
          </Button>
        </>
      )}
      {mayCancel && <DangerButton onClick={() => onAction('cancel')}>{cancelOrder}</DangerButton>}
      {isChanging && <ChangeRecipient order={order} onClose={() => setChanging(false)} />}
    </>
  );
}

function HeaderBadges({ order: { status, environment, held }, leaves }: { order: OrderDetail; leaves: boolean }) {
  const shared = useWords(sharedWords);
  const say = useWords(changeWords);
  return (
    <>
      <StatusBadge tone={orderTone[status]}>{shared.orderStatus[status]}</StatusBadge>
      {leaves && <LeavingBadge />}
      {held && <StatusBadge tone="stopped">{say.held}</StatusBadge>}
      {environment === 'uat' && <Badge color="gray">{shared.environment.uat}</Badge>}
    </>
  );
}

/** The reasons why an order does not proceed. */
function OrderAlerts({ order }: { order: OrderDetail }) {
  const say = useWords(words);
  const { status, environment } = order;
  return (
    <>
      {order.held && <HeldAlert order={order} />}
      {environment === 'uat' && status === 'pending_warehouse_transfer' && (
        <Alert variant="default" mb="md" icon={<IconInfoCircle />}>
          {say.detail.uat}
        </Alert>
      )}
      <OrderNextStepsPanel order={order} />
    </>
  );
}

function HeldAlert({ order: { timeline } }: { order: OrderDetail }) {
  const say = useWords(changeWords);
  const hold = timeline.findLast((entry) => entry.kind === 'change' && entry.change === 'hold');
  const reason = hold?.kind === 'change' ? hold.reason : null;
  return (
    <Alert
      variant="default"
      mb="md"
      icon={<IconPlayerPause />}
      title={say.held}
      classNames={{ root: classes.waits ?? '' }}
    >
      {say.heldHint}
      {reason !== null && <div className={classes.text}>{say.heldReason(reason)}</div>}
    </Alert>
  );
}

function OrderFacts({ order }: { order: OrderDetail }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const shared = useWords(sharedWords);
  const place = (no: number, name: string) => (name === '' ? String(no) : `${no} ${name}`);
  return (
    <Section title={say.detail.facts}>
      <Facts
        facts={[
          {
            label: say.detail.partnerNumber,
            value: <IdText value={order.partner_number} label={say.detail.partnerNumber} />,
          },
          { label: say.detail.ourNumber, value: <IdText value={order.order_no} label={say.detail.ourNumber} /> },
          order.name !== null && {
            label: say.list.shopOrder,
            value: <IdText value={order.name} label={say.list.shopOrder} />,
          },
          { label: shared.noun.account, value: <AccountLink accountNo={order.account_no} /> },
          { label: shared.noun.channel, value: shared.channel[order.channel] },
          { label: shared.noun.warehouse, value: place(order.warehouse_no, order.warehouse_name) },
          { label: say.list.store, value: place(order.store_no, order.store_name) },
          { label: say.list.sentBy, value: sentBy(order, say.shipMethod) },
          {
            label: say.list.shipment,
            value: shipments(order, say),
          },
          order.parcels.length < 2 && { label: say.list.carrier, value: carrierName(order.carrier, say.shipMethod) },
          order.undelivered_reason !== null && {
            label: say.detail.notDelivered,
            value: say.undeliveredReasons[order.undelivered_reason],
          },
          order.delivery_charge !== null && {
            label: say.detail.deliveryCharge,
            value: formatMoney(order.delivery_charge),
          },
          order.returns.length > 0 && { label: say.detail.returns, value: <OrderReturns order={order} /> },
          { label: shared.noun.created, value: <Time at={order.created_at} absolute /> },
          { label: shared.noun.updated, value: <Time at={order.updated_at} absolute /> },
          { label: say.detail.madeBy, value: order.created_by && nameOf(order.created_by) },
        ]}
      />
    </Section>
  );
}

/** Several parcels have their own table. */
function shipments({ parcels, shipment_no }: OrderDetail, { detail, list }: (typeof words)['en']) {
  if (parcels.length > 1) return detail.parcelCount(formatNumber(parcels.length));
  return shipment_no && <IdText value={shipment_no} label={list.shipment} />;
}

function OrderReturns({ order: { returns } }: { order: OrderDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return returns.map(({ inbound_id, document_no, status }) => (
    <Group key={inbound_id} gap="sm">
      <IdText value={document_no} label={say.detail.returns} to={`/inbound/${inbound_id}`} />
      <StatusBadge tone={inboundTone[status]}>{shared.inboundStatus[status]}</StatusBadge>
    </Group>
  ));
}

function AccountLink({ accountNo }: { accountNo: string }) {
  return (
    <Anchor component={Link} to={`/partners/accounts/${encodeURIComponent(accountNo)}`} inherit>
      {accountNo}
    </Anchor>
  );
}

function KeyHints({ hasNext, mayCancel }: { hasNext: boolean; mayCancel: boolean }) {
  const { detail: say } = useWords(words);
  const hints = [
    { key: 'n', text: say.keyNote },
    ...(hasNext ? [{ key: 's', text: say.keyNext }] : []),
    ...(mayCancel ? [{ key: 'c', text: say.keyCancel }] : []),
  ];
  return (
    <div className={classes.keys}>
      <span>{say.keys}</span>
      {hints.map(({ key, text }) => (
        <span key={key}>
          <Kbd size="xs">{key}</Kbd> {text}
        </span>
      ))}
    </div>
  );
}
