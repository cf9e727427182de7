import { ActionIcon, Alert, Anchor, Button, Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconBarcode, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ScannedOrder } from '../../../contract/console/orders.ts';
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
import { Time } from '../../kit/time.tsx';
import { PlannedShipments, usePlanned } from '../shipping/planned-shipments.tsx';
import { ShipmentWarnings } from '../shipping/shipment-warnings.tsx';
import { words as shipWords } from '../shipping/words.ts';
import { storageWord } from './order-lines.tsx';
import { HiddenNote } from './order-recipient.tsx';
import classes from './pick.module.css';
import { type Desk, type DeskMode, deskModes, usePickDesk } from './pick-desk.ts';
import { sentBy } from './sent-by.ts';
import { words } from './words.ts';

/** For staff with a scanner, who pick, pack and ship orders by scanning their labels. */
export function Component() {
  const { pickTitle } = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <>
      <PageHeader title={pickTitle} />
      {useMay('staff') ? <PickDesk /> : <EmptyState title={shared.errorKind.forbidden} hint={shared.role.staff} />}
    </>
  );
}

function PickDesk() {
  const { pick: say } = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const mode = deskModes.find((one) => one === parameters.get('mode')) ?? 'pick';
  const [wantsCollecting, setCollecting] = useState(false);
  const isCollecting = wantsCollecting && mode !== 'ship';
  const desk = usePickDesk(mode, isCollecting);

  return (
    <div className={layout.columns}>
      <div className={layout.main}>
        <div className={classes.bar}>
          <SegmentedControl
            size="md"
            aria-label={say.mode}
            disabled={desk.isBusy || desk.shipping !== null}
            data={deskModes.map((value) => ({ value, label: say.modes[value] }))}
            value={mode}
            onChange={(value) => setParameters({ mode: value }, { replace: true })}
          />
          {mode !== 'ship' && (
            <Switch
              size="sm"
              label={say.bulk}
              checked={wantsCollecting}
              onChange={(event) => setCollecting(event.currentTarget.checked)}
            />
          )}
        </div>
        <Text size="sm" c="dimmed">
          {isCollecting ? say.collectHint : say.hint[mode]}
        </Text>
        <ScanField
          turn={`${mode}/${desk.turn}`}
          label={say.scanOrder}
          onScan={desk.scan}
          disabled={desk.shipping !== null}
          last={desk.lastResult}
        />
        {desk.several && <ChooseOrder several={desk.several} onChoose={desk.choose} onPutBack={desk.putBack} />}
        {desk.shipping && <ShipmentForm key={desk.shipping.order_id} order={desk.shipping} desk={desk} />}
        {isCollecting ? <Collected desk={desk} mode={mode} /> : <OrderInHand order={desk.shipping ?? desk.current} />}
      </div>
      <div className={classes.side}>
        <PlannedShipments rows={usePlanned()} onResult={desk.showUndone} />
        <SessionList desk={desk} />
      </div>
    </div>
  );
}

function ChooseOrder({
  several: { number, orders },
  onChoose,
  onPutBack,
}: {
  several: { number: string; orders: ScannedOrder[] };
  onChoose(order: ScannedOrder): void;
  onPutBack(): void;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Alert variant="default" icon={<IconAlertTriangle />} title={say.pick.several(number)}>
      <div className={layout.choices}>
        {orders.map((order) => (
          <Button key={order.order_id} size="md" variant="default" onClick={() => onChoose(order)}>
            {[order.account_no, shared.orderStatus[order.status]].join(' · ')}
          </Button>
        ))}
        <Button size="md" variant="subtle" onClick={onPutBack}>
          {say.pick.putBack}
        </Button>
      </div>
    </Alert>
  );
}

function ShipmentForm({ order, desk }: { order: ScannedOrder; desk: Desk }) {
  const { pick: say } = useWords(words);
  const shared = useWords(sharedWords);
  const field = useRef<HTMLInputElement>(null);
  const [shipmentNo, setShipmentNo] = useState(order.shipment_no ?? '');
  const [carrier, setCarrier] = useState(order.carrier ?? '');
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (desk.isBusy || shipmentNo.trim() === '') return;
    desk.ship(shipmentNo.trim(), carrier.trim());
    field.current?.select();
  };
  return (
    <form
      onSubmit={submit}
      className={classes.shipment}
      onKeyDown={(event) => {
        if (event.key === 'Escape') desk.putBack();
      }}
    >
      <TextInput
        ref={field}
        size="lg"
        label={say.scanShipment(order.partner_number)}
        description={say.shipHint}
        leftSection={<IconBarcode size={22} aria-hidden />}
        value={shipmentNo}
        maxLength={125}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => setShipmentNo(event.currentTarget.value)}
      />
      <TextInput
        size="md"
        label={`${say.carrier} (${shared.optional})`}
        value={carrier}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setCarrier(event.currentTarget.value)}
      />
      <ShipmentButtons desk={desk} />
    </form>
  );
}

function ShipmentButtons({ desk }: { desk: Desk }) {
  const { pick: say } = useWords(words);
  const { shipAnyway } = useWords(shipWords);
  return (
    <>
      {desk.warned && (
        <ShipmentWarnings orders={[{ name: null, warnings: desk.warned.warnings }]}>
          <Button size="md" color="red.8" disabled={desk.isBusy} onClick={desk.shipAnyway}>
            {shipAnyway}
          </Button>
        </ShipmentWarnings>
      )}
      <Group gap="sm">
        <Button type="submit" size="md" loading={desk.isBusy}>
          {say.shipNow}
        </Button>
        <Button size="md" variant="default" onClick={desk.putBack}>
          {say.putBack}
        </Button>
      </Group>
    </>
  );
}

function OrderInHand({ order }: { order: ScannedOrder | null }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  if (order === null) {
    return (
      <Section title={say.pick.current}>
        <Text c="dimmed">{say.pick.nothingScanned}</Text>
      </Section>
    );
  }
  return (
    <Section
      title={say.pick.current}
      actions={<StatusBadge tone={orderTone[order.status]}>{shared.orderStatus[order.status]}</StatusBadge>}
    >
      <Anchor component={Link} to={`/orders/${order.order_id}`} className={layout.number ?? ''}>
        {order.partner_number}
      </Anchor>
      <Text size="sm" c="dimmed">
        {[order.account_no, order.name, sentBy(order, say.shipMethod), order.shipment_no].filter(Boolean).join(' · ')}
      </Text>
      {order.note && <HiddenNote key={order.order_id} orderId={order.order_id} className={layout.note} />}
      <ol className={layout.lines}>
        {order.lines.map(({ line_no, sku_id, name, qty, storage_type, lots }, place) => (
          <li key={line_no} aria-label={say.pick.lineOf(formatNumber(place + 1), formatNumber(order.lines.length))}>
            <div className={classes.qty}>{formatNumber(qty)}</div>
            <div className={layout.what}>
              <div className={layout.sku}>{sku_id}</div>
              <div>
                {name} <span className={layout.dimmed}>{storageWord(storage_type, shared.storageType)}</span>
              </div>
              <ul className={classes.lots}>
                {lots.map((lot) => (
                  <li key={`${lot.batch_id}/${lot.expire_date}`}>
                    <strong>{formatNumber(lot.qty)} ×</strong> {lot.batch_id === '' ? say.detail.noBatch : lot.batch_id}{' '}
                    <span className={layout.dimmed}>
                      {lot.expire_date === null ? say.detail.noExpiry : say.detail.expires(lot.expire_date)}
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Collected({ desk, mode }: { desk: Desk; mode: DeskMode }) {
  const { pick: say } = useWords(words);
  const shared = useWords(sharedWords);
  const { collected } = desk;
  return (
    <Section
      title={say.collected(formatNumber(collected.length))}
      actions={
        collected.length > 0 && (
          <Button size="md" onClick={desk.doAll}>
            {say.doAll[mode](formatNumber(collected.length))}
          </Button>
        )
      }
    >
      {collected.length === 0 && <Text c="dimmed">{say.collectedNone}</Text>}
      <ul className={`${classes.entries} ${classes.collected}`}>
        {collected.toReversed().map(({ order_id, partner_number, account_no, status }) => (
          <li key={order_id}>
            <Anchor component={Link} to={`/orders/${order_id}`} className={classes.entryNumber ?? ''}>
              {partner_number}
            </Anchor>
            <span className={layout.dimmed}>{[account_no, shared.orderStatus[status]].join(' · ')}</span>
            <ActionIcon aria-label={say.remove(partner_number)} onClick={() => desk.remove(order_id)}>
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function SessionList({ desk: { entries, clear } }: { desk: Desk }) {
  const say = useWords(words);
  return (
    <Section
      title={`${say.pick.session} (${formatNumber(entries.length)})`}
      actions={
        entries.length > 0 && (
          <Button variant="subtle" color="gray" onClick={clear}>
            {say.pick.clearSession}
          </Button>
        )
      }
    >
      {entries.length === 0 && <Text c="dimmed">{say.pick.sessionEmpty}</Text>}
      <ul className={classes.entries}>
        {entries.map(({ key, at, number, accountNo, orderId, ok, text }) => (
          <li key={key} data-failed={!ok || undefined}>
            <span className={classes.entryNumber}>
              {orderId === null ? (
                number
              ) : (
                <Anchor component={Link} to={`/orders/${orderId}`} inherit>
                  {number}
                </Anchor>
              )}
            </span>
            <span className={layout.dimmed}>
              {accountNo} <Time at={at} />
            </span>
            <span className={classes.entryText}>
              <StatusBadge tone={ok ? 'done' : 'failed'}>{text}</StatusBadge>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
