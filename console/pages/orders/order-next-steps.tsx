import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type {
  AwaitedStock,
  OrderDetail,
  OrderNextSteps,
  orderNextSteps,
  orderResendReason,
  orderTransferRetry,
  RejectionReason,
} from '../../../contract/console/orders.ts';
import { column, idColumn, numberColumn, statusColumn } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatCapped, formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { nextStepWords } from './next-step-words.ts';
import classes from './orders.module.css';
import { words } from './words.ts';

/** Why an order that waits for stock, or that its warehouse rejected, does not proceed, and what helps. */
export function OrderNextStepsPanel({ order }: { order: OrderDetail }) {
  const isWaiting = order.status === 'awaiting_stock';
  const { answer } = useAsk<typeof orderNextSteps>(
    '/orders/next-steps',
    { order_id: order.order_id },
    { enabled: isWaiting || order.can.retry_transfer, topics: ['orders', 'stock', 'inbound'] },
  );
  return (
    <>
      {order.can.retry_transfer && <RejectedAlert order={order} rejection={answer?.rejection ?? null} />}
      {isWaiting && <WaitingAlert order={order} steps={answer} />}
      {isWaiting && answer?.awaited && <AwaitedSections awaited={answer.awaited} order={order} />}
    </>
  );
}

function RejectedAlert({ order, rejection }: { order: OrderDetail; rejection: RejectionReason | null }) {
  const say = useWords(words);
  const sayNext = useWords(nextStepWords);
  const mayRetry = useMay('admin');
  const { transfer } = order;
  return (
    <Alert
      variant="default"
      mb="md"
      icon={<IconAlertTriangle color="var(--mantine-color-error)" />}
      title={say.detail.rejected}
      classNames={{ root: classes.failed ?? '' }}
    >
      <div className={classes.text}>{transfer?.reason && <ServerText text={transfer.reason} />}</div>
      {rejection && (
        <Text size="sm" mt={4}>
          {sayNext.sameReason(formatNumber(rejection.count))}{' '}
          {rejection.count > 1 && (
            <Anchor component={Link} to={`/orders?transfer=rejected&reason=${rejection.key}`} inherit>
              {sayNext.showSame}
            </Anchor>
          )}
        </Text>
      )}
      {mayRetry && (
        <Group gap="sm" mt="xs">
          <RetryTransfer order={order} />
          {rejection && rejection.count > 1 && <ResendReason rejection={rejection} />}
        </Group>
      )}
    </Alert>
  );
}

function RetryTransfer({ order: { order_id, partner_number } }: { order: OrderDetail }) {
  const say = useWords(words);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const retry = useChange<typeof orderTransferRetry>('/orders/transfer-retry', {
    onAnswer: ({ results: [result] }) => {
      setAsking(false);
      if (result?.kind === 'waiting') notices.done(say.result.retried);
      else notices.refused(say.result.notRejected);
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say.detail.retry}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say.detail.retryQuestion(partner_number)}
        confirmLabel={say.detail.retry}
        isRunning={retry.isRunning}
        onConfirm={() => void retry.run({ order_ids: [order_id] })}
      >
        {say.detail.retryEffect}
      </ConfirmDialog>
    </>
  );
}

function ResendReason({ rejection: { key, count } }: { rejection: RejectionReason }) {
  const say = useWords(nextStepWords);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const resend = useChange<typeof orderResendReason>('/orders/resend-reason', {
    onAnswer: ({ resent, is_more }) => {
      setAsking(false);
      notices.done(is_more ? say.resentMore(formatNumber(resent)) : say.resent(formatNumber(resent)));
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say.resendAll(formatNumber(count))}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say.resendQuestion(formatNumber(count))}
        confirmLabel={say.resendAll(formatNumber(count))}
        isRunning={resend.isRunning}
        onConfirm={() => void resend.run({ transfer_reason: key })}
      >
        {say.resendEffect}
      </ConfirmDialog>
    </>
  );
}

function WaitingAlert({ order, steps }: { order: OrderDetail; steps: OrderNextSteps | undefined }) {
  const say = useWords(words);
  const sayNext = useWords(nextStepWords);
  const short = steps?.awaited?.products.filter(({ missing }) => missing > 0);
  return (
    <Alert
      variant="default"
      mb="md"
      icon={<IconClock />}
      title={say.detail.waiting}
      classNames={{ root: classes.waits ?? '' }}
    >
      {short === undefined &&
        order.allocation.shortages.map(({ sku_id, available, requested }) => (
          <div key={sku_id}>{say.detail.shortage(sku_id, formatNumber(available), formatNumber(requested))}</div>
        ))}
      {short?.map(({ sku_id, missing }) => (
        <div key={sku_id}>{sayNext.missing(sku_id, formatNumber(missing))}</div>
      ))}
      {short?.length === 0 && (steps?.awaited?.place === 1 ? say.detail.shortageNone : sayNext.nothingMissing)}
    </Alert>
  );
}

const queueCountMax = 1000;

function AwaitedSections({ awaited, order }: { awaited: AwaitedStock; order: OrderDetail }) {
  const say = useWords(nextStepWords);
  return (
    <Section title={say.title} flush>
      <AwaitedProducts awaited={awaited} />
      <Inbounds awaited={awaited} />
      <Queue awaited={awaited} order={order} />
    </Section>
  );
}

function AwaitedProducts({ awaited: { products } }: { awaited: AwaitedStock }) {
  const say = useWords(nextStepWords);
  const shared = useWords(sharedWords);
  const columns: Column<AwaitedStock['products'][number]>[] = [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, { alwaysShown: true }),
    column('product', shared.noun.product, (row) => row.product_name),
    numberColumn('ordered', say.ordered, (row) => row.ordered),
    numberColumn('available', say.available, (row) => row.available),
    numberColumn('missing', say.missingUnits, (row) => row.missing),
    numberColumn('wantedBefore', say.wantedBefore, (row) => row.wanted_before),
  ];
  return (
    <DataTable
      bare
      name="order-awaited"
      label={say.products}
      columns={columns}
      list={plainRows(products, ({ product_id }) => String(product_id))}
      rowName={(row) => row.sku_id}
      rowLink={(row) => `/products/${row.product_id}`}
      empty={null}
    />
  );
}

function Inbounds({ awaited: { inbounds, has_more_inbounds } }: { awaited: AwaitedStock }) {
  const say = useWords(nextStepWords);
  const shared = useWords(sharedWords);
  const columns: Column<AwaitedStock['inbounds'][number]>[] = [
    idColumn('document', say.document, (row) => row.partner_number, { alwaysShown: true }),
    column('arrival', say.arrival, ({ estimated_arrival_at: at }) =>
      at === null ? say.noArrival : <Time at={at} absolute />,
    ),
    idColumn('sku', shared.noun.sku, (row) => row.sku_id),
    numberColumn('units', say.units, (row) => row.units),
    statusColumn(shared.noun.status, inboundTone, shared.inboundStatus),
  ];
  return (
    <>
      <SubHeading title={say.inbounds} note={inbounds.length === 0 ? say.inboundsNone : null} />
      {inbounds.length > 0 && (
        <DataTable
          bare
          name="order-inbounds"
          label={say.inbounds}
          columns={columns}
          list={plainRows(inbounds, ({ inbound_id, sku_id }) => `${inbound_id}-${sku_id}`)}
          rowName={(row) => row.partner_number}
          rowLink={(row) => `/inbound/${row.inbound_id}`}
          empty={null}
        />
      )}
      {has_more_inbounds && <SubHeading note={say.inboundsMore} />}
    </>
  );
}

interface QueueRow {
  place: number;
  order_id: number;
  partner_number: string;
  created_at: string;
  units: number;
  isThis: boolean;
}

function queueRows({ ahead, behind, place, products }: AwaitedStock, order: OrderDetail): QueueRow[] {
  const own = products.reduce((sum, { ordered }) => sum + ordered, 0);
  return [
    ...ahead.map((one, index) => ({ ...one, place: index + 1, isThis: false })),
    { ...order, place, units: own, isThis: true },
    ...behind.map((one, index) => ({ ...one, place: place + index + 1, isThis: false })),
  ];
}

function Queue({ awaited, order }: { awaited: AwaitedStock; order: OrderDetail }) {
  const say = useWords(nextStepWords);
  const shared = useWords(sharedWords);
  const { place, behind_count, ahead, behind } = awaited;
  if (place === 1 && behind_count === 0) return <SubHeading title={say.queue} note={say.queueNone} />;
  const hidden = place - 1 - ahead.length + behind_count - behind.length;
  const columns: Column<QueueRow>[] = [
    column('order', say.order, (row) => (row.isThis ? <strong>{say.thisOrder}</strong> : row.partner_number), {
      alwaysShown: true,
    }),
    column('place', say.placeColumn, (row) => formatCapped(row.place, queueCountMax), { align: 'right' }),
    numberColumn('units', shared.noun.quantity, (row) => row.units),
    column('created', shared.noun.created, (row) => <Time at={row.created_at} />),
  ];
  return (
    <>
      <SubHeading title={say.queue} note={say.place(formatCapped(place, queueCountMax))} />
      <DataTable
        bare
        name="order-queue"
        label={say.queue}
        columns={columns}
        list={plainRows(queueRows(awaited, order), ({ order_id }) => String(order_id))}
        rowName={(row) => row.partner_number}
        rowLink={(row) => `/orders/${row.order_id}`}
        empty={null}
      />
      {hidden > 0 && <SubHeading note={say.queueMore(formatCapped(hidden, queueCountMax))} />}
    </>
  );
}

function SubHeading({ title, note }: { title?: string; note?: string | null }) {
  return (
    <div className={classes.part}>
      {title && <h3 className={classes.partTitle}>{title}</h3>}
      {note && <span className={classes.small}>{note}</span>}
    </div>
  );
}
