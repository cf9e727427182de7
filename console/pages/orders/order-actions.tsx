import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type {
  OrderAdvanceResult,
  OrderCancelResult,
  OrderStatus,
  OrderStep,
  orderAdvance,
  orderCancel,
  UndeliveredReason,
} from '../../../contract/console/orders.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { type BulkResult, ResultList } from '../../kit/result-list.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { HoldQuestion } from './order-changes.tsx';
import { formatAdvance, formatCancel, isAdvanced } from './order-results.ts';
import classes from './orders.module.css';
import { type RepeatedShipment, RepeatedShipments } from './repeated-shipment.tsx';
import { words } from './words.ts';

/** The fields of an order that the dialog needs. */
export interface ActedOnOrder {
  order_id: number;
  partner_number: string;
  account_no: string;
  status: OrderStatus;
  shipment_no: string | null;
}

export type OrderAction = OrderStep | 'cancel' | 'hold' | 'release';

export interface OrderActionDialogProps {
  /** The action to confirm; null closes the dialog. */
  action: OrderAction | null;
  orders: ActedOnOrder[];
  /** Called when the operator cancels; nothing was changed. */
  onClose(): void;
  /** Called after the action, when the operator has closed the results. */
  onDone(): void;
}

const namedMax = 8;

/** Names the orders, asks for confirmation, and shows one result for each order. */
export function OrderActionDialog({ action, orders, onClose, onDone }: OrderActionDialogProps) {
  const [results, setResults] = useState<{ title: string; results: BulkResult[] } | null>(null);
  const shared = useWords(sharedWords);
  const what = useWhat(orders);
  const finish = (title: string, all: BulkResult[]) => {
    onClose();
    setResults({ title, results: all });
  };
  const close = () => {
    setResults(null);
    onDone();
  };
  return (
    <>
      {action === 'cancel' && <CancelQuestion orders={orders} onClose={onClose} onResults={finish} />}
      {(action === 'hold' || action === 'release') && (
        <HoldQuestion
          action={action}
          orderIds={orders.map(({ order_id }) => order_id)}
          what={what}
          onClose={onClose}
          onResults={finish}
        />
      )}
      {isStep(action) && <StepQuestion step={action} orders={orders} onClose={onClose} onResults={finish} />}
      <Modal
        opened={results !== null}
        onClose={close}
        title={results?.title}
        closeButtonProps={{ 'aria-label': shared.verb.close }}
      >
        {results && <ResultList results={results.results} />}
        <Group justify="flex-end" mt="md">
          <Button onClick={close} data-autofocus>
            {shared.verb.close}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

function isStep(action: OrderAction | null): action is OrderStep {
  return action !== null && action !== 'cancel' && action !== 'hold' && action !== 'release';
}

interface QuestionProps {
  orders: ActedOnOrder[];
  onClose(): void;
  onResults(title: string, results: BulkResult[]): void;
}

function CancelQuestion({ orders, onClose, onResults }: QuestionProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const what = useWhat(orders);
  const cancel = useChange<typeof orderCancel>('/orders/cancel', {
    onAnswer: ({ results }) =>
      onResults(
        say.cancelResults,
        results.map((result: OrderCancelResult) => ({
          ...nameOf(result),
          ok: result.kind === 'cancelled',
          text: formatCancel(result, say.result, shared.orderStatus),
        })),
      ),
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      danger
      title={say.cancelQuestion(what)}
      confirmLabel={say.cancelButton(what)}
      isRunning={cancel.isRunning}
      onConfirm={() => void cancel.run({ order_ids: orders.map(({ order_id }) => order_id) })}
    >
      <Stack gap="sm">
        <span>{say.cancelEffect}</span>
        <NamedOrders orders={orders} />
      </Stack>
    </ConfirmDialog>
  );
}

function StepQuestion({ step, orders: all, onClose, onResults }: QuestionProps & { step: OrderStep }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  /** Results so far, while the dialog asks again about orders whose shipment number another order has. */
  const [done, setDone] = useState<BulkResult[]>([]);
  const [repeats, setRepeats] = useState(new Map<number, RepeatedShipment>());
  const orders = all.filter(({ order_id }) => !done.some(({ key }) => key === String(order_id)));
  const what = useWhat(orders);
  const [shipmentNos, setShipmentNos] = useState<Record<number, string>>(() =>
    Object.fromEntries(orders.map((order) => [order.order_id, reportedShipmentNo(order)])),
  );
  const [carrier, setCarrier] = useState('');
  const [reason, setReason] = useState<UndeliveredReason>('not_collected');
  const [isMissing, setMissing] = useState(false);
  const advance = useChange<typeof orderAdvance>('/orders/advance', {
    onAnswer: ({ results }) => {
      const repeated = repeatedOf(results, shipmentNos);
      const finished = results.filter(({ kind }) => kind !== 'repeated_shipment_no').map(formatResult);
      setRepeats(new Map(repeated));
      if (repeated.length > 0) setDone([...done, ...finished]);
      else onResults(say.stepResults[step], [...done, ...finished]);
    },
  });
  const formatResult = (result: OrderAdvanceResult) =>
    bulkResultOf(result, formatAdvance(result, step, say.result, shared.orderStatus));
  const confirm = () => {
    const given = orders.map(({ order_id }) => ({ order_id, shipment_no: shipmentNos[order_id]!.trim() }));
    if (step !== 'ship') return void advance.run(withoutShipment(step, reason, given));
    if (given.some(({ shipment_no }) => shipment_no === '')) return setMissing(true);
    return void advance.run({ step, orders: given.map((one) => withCarrier(one, carrier.trim(), repeats)) });
  };
  const close = () => (done.length === 0 ? onClose() : onResults(say.stepResults[step], done));
  return (
    <ConfirmDialog
      opened
      onClose={close}
      title={say.stepQuestion[step](what)}
      danger={repeats.size > 0}
      confirmLabel={repeats.size > 0 ? say.repeat.button : say.stepButton[step](what)}
      isRunning={advance.isRunning}
      onConfirm={confirm}
    >
      <Stack gap="sm">
        <span>{say.stepEffect[step]}</span>
        {step === 'fail' && <ReasonField reason={reason} onReason={setReason} />}
        {step === 'ship' ? (
          <ShipmentFields
            orders={orders}
            shipmentNos={shipmentNos}
            carrier={carrier}
            isMissing={isMissing}
            repeats={repeats}
            onShipmentNo={(orderId, value) => {
              setShipmentNos({ ...shipmentNos, [orderId]: value });
              setRepeats(new Map([...repeats].filter(([repeatedId]) => repeatedId !== orderId)));
            }}
            onCarrier={(value) => {
              setCarrier(value);
              setRepeats(new Map());
            }}
          />
        ) : (
          <NamedOrders orders={orders} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

/** The rest of a partial shipment is another parcel, which has a number of its own. */
function reportedShipmentNo({ status, shipment_no }: ActedOnOrder): string {
  return status === 'partially_shipped' ? '' : (shipment_no ?? '');
}

function bulkResultOf(result: OrderAdvanceResult, text: string): BulkResult {
  return { ...nameOf(result), ok: isAdvanced(result), text };
}

function withoutShipment(step: OrderStep, reason: UndeliveredReason, orders: { order_id: number }[]) {
  return { step, ...(step === 'fail' && { reason }), orders: orders.map(({ order_id }) => ({ order_id })) };
}

function ReasonField({ reason, onReason }: { reason: UndeliveredReason; onReason(reason: UndeliveredReason): void }) {
  const say = useWords(words);
  return (
    <NativeSelect
      label={say.undeliveredReason}
      value={reason}
      data={Object.entries(say.undeliveredReasons).map(([value, label]) => ({ value, label }))}
      onChange={(event) => onReason(event.currentTarget.value as UndeliveredReason)}
    />
  );
}

function repeatedOf(results: OrderAdvanceResult[], shipmentNos: Record<number, string>): [number, RepeatedShipment][] {
  return results.flatMap((result): [number, RepeatedShipment][] =>
    result.kind === 'repeated_shipment_no'
      ? [[result.order_id, { shipmentNo: shipmentNos[result.order_id]!.trim(), others: result.others }]]
      : [],
  );
}

/** A repeated shipment number that the operator has seen and left unchanged is confirmed. */
function withCarrier(
  order: { order_id: number; shipment_no: string },
  carrier: string,
  repeats: Map<number, RepeatedShipment>,
) {
  const isConfirmed = repeats.get(order.order_id)?.shipmentNo === order.shipment_no;
  return { ...order, ...(carrier !== '' && { carrier }), ...(isConfirmed && { allow_repeat: true }) };
}

interface ShipmentFieldsProps {
  orders: ActedOnOrder[];
  shipmentNos: Record<number, string>;
  carrier: string;
  isMissing: boolean;
  repeats: Map<number, RepeatedShipment>;
  onShipmentNo(orderId: number, value: string): void;
  onCarrier(value: string): void;
}

function ShipmentFields(props: ShipmentFieldsProps) {
  const { orders, shipmentNos, carrier, isMissing, repeats, onShipmentNo, onCarrier } = props;
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
      {repeats.size > 0 && <RepeatedShipments repeats={[...repeats.values()]} />}
    </>
  );
}

/** "order A-1", or "12 orders". */
function useWhat(orders: ActedOnOrder[]): string {
  const say = useWords(words);
  return orders.length === 1 ? say.orderNamed(orders[0]!.partner_number) : say.orders(formatNumber(orders.length));
}

function NamedOrders({ orders }: { orders: ActedOnOrder[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <ul className={classes.named}>
      {orders.slice(0, namedMax).map(({ order_id, partner_number, account_no, status }) => (
        <li key={order_id}>
          <span className={classes.number}>{partner_number}</span>
          <Text span size="xs" c="dimmed">
            {[account_no, shared.orderStatus[status]].join(' · ')}
          </Text>
        </li>
      ))}
      {orders.length > namedMax && <li>{say.more(formatNumber(orders.length - namedMax))}</li>}
    </ul>
  );
}

function nameOf({ order_id, partner_number }: { order_id: number; partner_number: string | null }) {
  return { key: String(order_id), name: partner_number ?? String(order_id) };
}
