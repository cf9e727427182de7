import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type {
  OrderDetail,
  orderForget,
  orderViewRecipient,
  ViewedRecipient,
} from '../../../contract/console/orders.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { DangerButton } from '../../kit/danger-button.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { changeWords } from './change-words.ts';
import { labelValues } from './label-values.ts';
import { ChangedFields } from './order-changes.tsx';
import classes from './orders.module.css';
import { words } from './words.ts';

/** The recipient, and the label of the pickup store: masked until the operator asks to see them. */
export function OrderRecipient({ order }: { order: OrderDetail }) {
  const { detail: say } = useWords(words);
  const maySee = useMay('staff');
  const mayForget = useMay('admin');
  const [shown, setShown] = useState<ViewedRecipient | null>(null);
  const isErased = order.recipient_erased_at !== null;
  const isShown = shown !== null && !isErased;
  const { recipient, store_pickup_label_data: label } = isShown ? shown : order;
  return (
    <>
      <Section
        title={say.recipient}
        actions={
          <Group gap="xs">
            {maySee && order.has_recipient && !isErased && (
              <ShowRecipient orderId={order.order_id} isShown={isShown} onChange={setShown} />
            )}
            {mayForget && order.can.forget && <ForgetOrder order={order} />}
          </Group>
        }
      >
        {order.recipient_erased_at !== null && (
          <Text size="sm">
            {say.erased} <Time at={order.recipient_erased_at} absolute />
          </Text>
        )}
        {order.has_recipient && !isShown && !isErased && (
          <Text size="sm" c="dimmed" mb="xs">
            {maySee ? say.maskedMayShow : say.masked}
          </Text>
        )}
        {!order.has_recipient && !isErased && say.recipientNone}
        {!isErased && <PersonFacts recipient={recipient} />}
        {isShown && <FormerValues changes={shown.changes} />}
      </Section>
      {label !== null && Object.keys(label).length > 0 && (
        <Section title={say.label}>
          <Facts facts={labelValues(label).map(([name, value]) => ({ label: name, value }))} />
        </Section>
      )}
    </>
  );
}

function PersonFacts({ recipient }: Pick<OrderDetail, 'recipient'>) {
  const { detail: say } = useWords(words);
  const { name, phone, country, zip, city, address, customer_name, note } = recipient;
  const where = [zip, city, address, country].filter((part) => part !== null && part !== '').join(' ');
  return (
    <Facts
      facts={[
        name !== null && { label: say.recipientName, value: name },
        phone !== null && { label: say.phone, value: phone },
        where !== '' && { label: say.address, value: where, wide: true },
        customer_name !== null && customer_name !== name && { label: say.customer, value: customer_name },
        note !== null &&
          note !== '' && {
            label: say.partnerNote,
            value: <span className={classes.text}>{note}</span>,
            wide: true,
          },
      ]}
    />
  );
}

/** Old and new values of changes are as personal as the recipient, and are shown together with it. */
function FormerValues({ changes }: Pick<ViewedRecipient, 'changes'>) {
  const say = useWords(changeWords);
  const updates = changes.filter(({ fields }) => fields.length > 0);
  if (updates.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {say.former}
      </Text>
      {updates.map((change) => (
        <div key={`${change.at} ${change.trace_id}`}>
          <Time at={change.at} absolute />
          <ChangedFields entry={change} />
        </div>
      ))}
    </>
  );
}

function ShowRecipient({
  orderId,
  isShown,
  onChange,
}: {
  orderId: number;
  isShown: boolean;
  onChange(shown: ViewedRecipient | null): void;
}) {
  const { detail: say } = useWords(words);
  const view = useChange<typeof orderViewRecipient>('/orders/view-recipient', { onAnswer: onChange });
  return isShown ? (
    <Button variant="default" size="xs" onClick={() => onChange(null)}>
      {say.hide}
    </Button>
  ) : (
    <Button variant="default" size="xs" loading={view.isRunning} onClick={() => void view.run({ order_id: orderId })}>
      {say.show}
    </Button>
  );
}

function ForgetOrder({ order: { order_id, partner_number } }: { order: OrderDetail }) {
  const { detail: say } = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const forget = useChange<typeof orderForget>('/orders/forget', {
    onAnswer: (answer) => {
      setAsking(false);
      if (answer.kind === 'erased' || answer.kind === 'already') notices.done(say.forgotten);
      else if (answer.kind === 'not_ended') notices.refused(say.forgetNotEnded(shared.orderStatus[answer.status]));
      else notices.refused(say.forgetPending(formatNumber(answer.count)));
    },
  });
  return (
    <>
      <DangerButton onClick={() => setAsking(true)}>{say.forget}</DangerButton>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say.forgetQuestion(partner_number)}
        confirmLabel={say.forget}
        danger
        isRunning={forget.isRunning}
        onConfirm={() => void forget.run({ order_id })}
      >
        {say.forgetEffect}
      </ConfirmDialog>
    </>
  );
}

/** The partner's note at the packing desk: a packer may need it, and asks for it. */
export function HiddenNote({ orderId, className }: { orderId: number; className: string | undefined }) {
  const { detail: say } = useWords(words);
  const maySee = useMay('staff');
  const [shown, setShown] = useState<ViewedRecipient | null>(null);
  if (shown !== null) return <p className={className}>{shown.recipient.note}</p>;
  return (
    <Group gap="xs">
      <Text size="sm">{say.hasNote}</Text>
      {maySee && <ShowRecipient orderId={orderId} isShown={false} onChange={setShown} />}
    </Group>
  );
}
