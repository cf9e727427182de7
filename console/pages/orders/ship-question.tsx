import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderShipResult, orderShip, ShipmentWarning } from '../../../contract/console/packing.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import type { BulkResult } from '../../kit/result-list.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatShip } from '../shipping/ship-result.ts';
import { kindsOf, ShipmentWarnings } from '../shipping/shipment-warnings.tsx';
import { words as shipWords } from '../shipping/words.ts';
import { type ActedOnOrder, nameOf, useWhat } from './acted-on-order.ts';
import classes from './orders.module.css';
import { words } from './words.ts';

export interface ShipQuestionProps {
  orders: ActedOnOrder[];
  onClose(): void;
  /** All orders are about to leave. */
  onPlanned(): void;
  onResults(title: string, results: BulkResult[]): void;
}

/** Asks for the shipment numbers, and again about orders with warnings. The others are planned at once. */
export function ShipQuestion({ orders: all, onClose, onPlanned, onResults }: ShipQuestionProps) {
  const say = useWords(words);
  const sayShip = useWords(shipWords);
  /** Results so far, while the dialog asks about the other orders. */
  const [done, setDone] = useState<BulkResult[]>([]);
  const [warned, setWarned] = useState(new Map<number, ShipmentWarning[]>());
  const orders = all.filter(({ order_id }) => !done.some(({ key }) => key === String(order_id)));
  const what = useWhat(orders);
  const [shipmentNos, setShipmentNos] = useState<Record<number, string>>(() =>
    Object.fromEntries(orders.map((order) => [order.order_id, announcedNo(order)])),
  );
  const [carrier, setCarrier] = useState('');
  const [isMissing, setMissing] = useState(false);
  const finish = (results: BulkResult[]) =>
    results.every(({ ok }) => ok) ? onPlanned() : onResults(say.stepResults.ship, results);
  const ship = useChange<typeof orderShip>('/orders/ship', {
    onAnswer: ({ results }) => {
      const asked = results.flatMap((result) => (result.kind === 'confirm' ? [result] : []));
      const finished = [...done, ...results.flatMap((result) => bulkResultOf(result, sayShip))];
      setWarned(new Map(asked.map(({ order_id, warnings }) => [order_id, warnings])));
      setDone(finished);
      if (asked.length === 0) finish(finished);
    },
  });
  const confirm = () => {
    const given = orders.map(({ order_id }) => ({ order_id, shipment_no: shipmentNos[order_id]!.trim() }));
    if (given.some(({ shipment_no }) => shipment_no === '')) return setMissing(true);
    const withCarrier = carrier.trim() === '' ? {} : { carrier: carrier.trim() };
    const confirmedOf = (orderId: number) => kindsOf(warned.get(orderId) ?? []);
    const bodies = given.map((one) => ({ ...one, ...withCarrier, confirmed: confirmedOf(one.order_id) }));
    return void ship.run({ orders: bodies });
  };
  return (
    <ConfirmDialog
      opened
      onClose={() => (done.length === 0 ? onClose() : finish(done))}
      title={say.stepQuestion.ship(what)}
      danger={warned.size > 0}
      confirmLabel={warned.size > 0 ? sayShip.shipAnyway : say.stepButton.ship(what)}
      isRunning={ship.isRunning}
      onConfirm={confirm}
    >
      <Stack gap="sm">
        <span>{say.stepEffect.ship}</span>
        <ShipmentFields
          {...{ orders, shipmentNos, carrier, isMissing }}
          onShipmentNo={(orderId, value) => {
            setShipmentNos({ ...shipmentNos, [orderId]: value });
            setWarned(new Map([...warned].filter(([warnedId]) => warnedId !== orderId)));
          }}
          onCarrier={(value) => {
            setCarrier(value);
            setWarned(new Map());
          }}
        />
        <Warnings orders={orders} warned={warned} isSingle={all.length === 1} />
      </Stack>
    </ConfirmDialog>
  );
}

/** The rest of a partial shipment is another parcel, which has a number of its own. */
function announcedNo({ status, shipment_no }: ActedOnOrder): string {
  return status === 'partially_shipped' ? '' : (shipment_no ?? '');
}

/** An order with warnings has no result yet. */
function bulkResultOf(result: OrderShipResult, say: (typeof shipWords)['en']): BulkResult[] {
  if (result.kind === 'confirm') return [];
  return [{ ...nameOf(result), ok: result.kind === 'planned', text: formatShip(result, say) }];
}

interface WarningsProps {
  orders: ActedOnOrder[];
  warned: Map<number, ShipmentWarning[]>;
  isSingle: boolean;
}

function Warnings({ orders, warned, isSingle }: WarningsProps) {
  if (warned.size === 0) return null;
  const asked = orders.filter(({ order_id }) => warned.has(order_id));
  return (
    <ShipmentWarnings
      orders={asked.map(({ order_id, partner_number }) => ({
        name: isSingle ? null : partner_number,
        warnings: warned.get(order_id)!,
      }))}
    />
  );
}

interface ShipmentFieldsProps {
  orders: ActedOnOrder[];
  shipmentNos: Record<number, string>;
  carrier: string;
  isMissing: boolean;
  onShipmentNo(orderId: number, value: string): void;
  onCarrier(value: string): void;
}

function ShipmentFields({ orders, shipmentNos, carrier, isMissing, onShipmentNo, onCarrier }: ShipmentFieldsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <>
      <div className={classes.shipments}>
        {orders.map(({ order_id, partner_number }, place) => (
          <TextInput
            key={order_id}
            label={say.shipmentOf(partner_number)}
            value={shipmentNos[order_id] ?? ''}
            maxLength={125}
            autoComplete="off"
            {...(place === 0 && { 'data-autofocus': true })}
            error={isMissing && shipmentNos[order_id]?.trim() === '' ? say.shipmentMissing : null}
            onChange={(event) => onShipmentNo(order_id, event.currentTarget.value)}
          />
        ))}
      </div>
      <TextInput
        label={`${say.list.carrier} (${shared.optional})`}
        value={carrier}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onCarrier(event.currentTarget.value)}
      />
    </>
  );
}
