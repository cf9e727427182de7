import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type {
  AdvanceStep,
  OrderAdvanceResult,
  OrderCancelResult,
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
import { type ActedOnOrder, nameOf, useWhat } from './acted-on-order.ts';
import { HoldQuestion } from './order-changes.tsx';
import { formatAdvance, formatCancel, isAdvanced } from './order-results.ts';
import classes from './orders.module.css';
import { ResendQuestion } from './resend-question.tsx';
import { ShipQuestion } from './ship-question.tsx';
import { words } from './words.ts';

export type OrderAction = OrderStep | 'cancel' | 'hold' | 'release' | 'resend';

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
  const closeAtOnce = () => {
    onClose();
    onDone();
  };
  return (
    <>
      {action === 'cancel' && <CancelQuestion orders={orders} onClose={onClose} onResults={finish} />}
      {action === 'resend' && <ResendQuestion orders={orders} onClose={onClose} onResults={finish} />}
      {(action === 'hold' || action === 'release') && (
        <HoldQuestion
          action={action}
          orderIds={orders.map(({ order_id }) => order_id)}
          what={what}
          onClose={onClose}
          onResults={finish}
        />
      )}
      {action === 'ship' && (
        <ShipQuestion orders={orders} onClose={onClose} onPlanned={closeAtOnce} onResults={finish} />
      )}
      {isAdvanceStep(action) && <StepQuestion step={action} orders={orders} onClose={onClose} onResults={finish} />}
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

function isAdvanceStep(action: OrderAction | null): action is AdvanceStep {
  return action !== null && !['ship', 'cancel', 'hold', 'release', 'resend'].includes(action);
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

function StepQuestion({ step, orders, onClose, onResults }: QuestionProps & { step: AdvanceStep }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const what = useWhat(orders);
  const [reason, setReason] = useState<UndeliveredReason>('not_collected');
  const advance = useChange<typeof orderAdvance>('/orders/advance', {
    onAnswer: ({ results }) =>
      onResults(
        say.stepResults[step],
        results.map((result: OrderAdvanceResult) => ({
          ...nameOf(result),
          ok: isAdvanced(result),
          text: formatAdvance(result, step, say.result, shared.orderStatus),
        })),
      ),
  });
  const named = orders.map(({ order_id }) => ({ order_id }));
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={say.stepQuestion[step](what)}
      confirmLabel={say.stepButton[step](what)}
      isRunning={advance.isRunning}
      onConfirm={() => void advance.run({ step, ...(step === 'fail' && { reason }), orders: named })}
    >
      <Stack gap="sm">
        <span>{say.stepEffect[step]}</span>
        {step === 'fail' && <ReasonField reason={reason} onReason={setReason} />}
        <NamedOrders orders={orders} />
      </Stack>
    </ConfirmDialog>
  );
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
