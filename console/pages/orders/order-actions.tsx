import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderAdvanceResult, OrderStep, orderAdvance } from '../../../contract/console/order-advance.ts';
import type { OrderCancelResult, orderCancel } from '../../../contract/console/order-cancel.ts';
import type { OrderStatus } from '../../../contract/console/order-search.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { type BulkResult, ResultList } from '../../kit/result-list.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { isAdvanced, wordAdvance, wordCancel } from './order-results.ts';
import classes from './orders.module.css';
import { type RepeatedShipment, RepeatedShipments } from './repeated-shipment.tsx';
import { words } from './words.ts';

/** An order as a question about it names it. */
export interface ActedOnOrder {
  order_id: number;
  partner_number: string;
  account_no: string;
  status: OrderStatus;
  shipment_no: string | null;
}

export type OrderAction = OrderStep | 'cancel';

export interface OrderActionDialogProps {
  /** What is asked about; null: nothing. */
  action: OrderAction | null;
  orders: ActedOnOrder[];
  /** Nothing was done. */
  onClose(): void;
  /** Something was, and its results have been read. */
  onDone(): void;
}

const namedMax = 8;

/** Asks before orders are changed, names them, and shows one result for each. */
export function OrderActionDialog({ action, orders, onClose, onDone }: OrderActionDialogProps) {
  const [results, setResults] = useState<{ title: string; results: BulkResult[] } | null>(null);
  const shared = useWords(sharedWords);
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
      {action !== null && action !== 'cancel' && <StepQuestion step={action} orders={orders} onClose={onClose} onResults={finish} />}
      <Modal opened={results !== null} onClose={close} title={results?.title} closeButtonProps={{ 'aria-label': shared.verb.close }}>
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
          text: wordCancel(result, say.result, shared.orderStatus),
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
  /** Those that are done with, while others are asked about again because their shipment numbers are those of other orders. */
  const [done, setDone] = useState<BulkResult[]>([]);
  const [repeats, setRepeats] = useState(new Map<number, RepeatedShipment>());
  const orders = all.filter(({ order_id }) => !done.some(({ key }) => key === String(order_id)));
  const what = useWhat(orders);
  const [shipmentNos, setShipmentNos] = useState<Record<number, string>>(() =>
    Object.fromEntries(orders.map(({ order_id, shipment_no }) => [order_id, shipment_no ?? ''])),
  );
  const [carrier, setCarrier] = useState('');
  const [isMissing, setMissing] = useState(false);
  const advance = useChange<typeof orderAdvance>('/orders/advance', {
    onAnswer: ({ results }) => {
      const repeated = results.flatMap((result): [number, RepeatedShipment][] =>
        result.kind === 'repeated_shipment_no'
          ? [[result.order_id, { shipmentNo: shipmentNos[result.order_id]!.trim(), others: result.others }]]
          : [],
      );
      const finished = results.filter(({ kind }) => kind !== 'repeated_shipment_no').map(wordResult);
      setRepeats(new Map(repeated));
      if (repeated.length > 0) setDone([...done, ...finished]);
      else onResults(say.stepResults[step], [...done, ...finished]);
    },
  });
  const wordResult = (result: OrderAdvanceResult): BulkResult => ({
    ...nameOf(result),
    ok: isAdvanced(result),
    text: wordAdvance(result, step, say.result, shared.orderStatus),
  });
  const confirm = () => {
    const given = orders.map(({ order_id }) => ({ order_id, shipment_no: shipmentNos[order_id]!.trim() }));
    if (step !== 'ship') return void advance.run({ step, orders: given.map(({ order_id }) => ({ order_id })) });
    if (given.some(({ shipment_no }) => shipment_no === '')) return setMissing(true);
    const isConfirmed = ({ order_id, shipment_no }: (typeof given)[number]) => repeats.get(order_id)?.shipmentNo === shipment_no;
    return void advance.run({
      step,
      orders: given.map((one) => ({
        ...one,
        ...(carrier.trim() !== '' && { carrier: carrier.trim() }),
        ...(isConfirmed(one) && { allow_repeat: true }),
      })),
    });
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
        {step === 'ship' ? (
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
                  onChange={(event) => {
                    setShipmentNos({ ...shipmentNos, [order_id]: event.currentTarget.value });
                    setRepeats(new Map([...repeats].filter(([repeatedId]) => repeatedId !== order_id)));
                  }}
                />
              ))}
            </div>
            <TextInput
              label={`${say.list.carrier} (${shared.optional})`}
              value={carrier}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => {
                setCarrier(event.currentTarget.value);
                setRepeats(new Map());
              }}
            />
            {repeats.size > 0 && <RepeatedShipments repeats={[...repeats.values()]} />}
          </>
        ) : (
          <NamedOrders orders={orders} />
        )}
      </Stack>
    </ConfirmDialog>
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
