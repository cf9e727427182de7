import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SystemTransfer } from '../../../contract/console/system-overview.ts';
import type { systemRetryRejected } from '../../../contract/console/system-retry-rejected.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

/** Orders of which a warehouse has not said yes; those that it does not want can be sent again. */
export function TransfersTable({ transfers }: { transfers: SystemTransfer[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayRetry = useMay('admin');
  const [retried, setRetried] = useState<number | null>(null);
  const rejectedAt = [
    ...new Set(transfers.filter(({ status }) => status === 'rejected').map(({ warehouse_no }) => warehouse_no)),
  ].toSorted();
  const columns: Column<SystemTransfer>[] = [
    {
      key: 'number',
      title: shared.noun.number,
      cell: (transfer) => <IdText value={transfer.partner_number} label={shared.noun.number} copy={false} />,
      alwaysShown: true,
    },
    { key: 'account', title: shared.noun.account, cell: (transfer) => transfer.account_no },
    { key: 'warehouse', title: shared.noun.warehouse, cell: (transfer) => transfer.warehouse_no, align: 'right' },
    {
      key: 'status',
      title: shared.noun.status,
      cell: ({ status }) => (
        <StatusBadge tone={status === 'rejected' ? 'failed' : 'active'}>
          {(say.transferStatus as Record<string, string>)[status] ?? status}
        </StatusBadge>
      ),
    },
    { key: 'tries', title: say.tries, cell: (transfer) => formatNumber(transfer.tries), align: 'right' },
    { key: 'reason', title: shared.noun.reason, cell: (transfer) => transfer.reason && <ServerText text={transfer.reason} /> },
    { key: 'last', title: say.lastTry, cell: (transfer) => <Time at={transfer.last_try_at} /> },
  ];
  return (
    <Section
      title={say.transfers}
      flush
      actions={
        mayRetry &&
        rejectedAt.map((warehouseNo) => (
          <Button key={warehouseNo} variant="default" onClick={() => setRetried(warehouseNo)}>
            {say.retry(String(warehouseNo))}
          </Button>
        ))
      }
    >
      <DataTable
        bare
        name="system-transfers"
        label={say.transfers}
        columns={columns}
        list={plainRows(transfers, (transfer) => String(transfer.order_id))}
        rowName={(transfer) => transfer.partner_number}
        rowLink={(transfer) => `/orders/${transfer.order_id}`}
        empty={<EmptyState title={say.transfersNone} hint={say.transfersNoneHint} />}
      />
      <RetryRejected warehouseNo={retried} onClose={() => setRetried(null)} />
    </Section>
  );
}

function RetryRejected({ warehouseNo, onClose }: { warehouseNo: number | null; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const retry = useChange<typeof systemRetryRejected>('/system/retry-rejected', {
    onAnswer({ count, is_more }) {
      onClose();
      notices.done(is_more ? say.retriedMore(formatNumber(count)) : say.retried(formatNumber(count)));
    },
  });
  const name = String(warehouseNo ?? '');
  return (
    <ConfirmDialog
      opened={warehouseNo !== null}
      onClose={onClose}
      title={say.retryTitle(name)}
      confirmLabel={say.retryVerb}
      isRunning={retry.isRunning}
      onConfirm={() => warehouseNo !== null && void retry.run({ warehouse_no: warehouseNo })}
    >
      {say.retryEffect(name)}
    </ConfirmDialog>
  );
}
