import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SystemTransfer, systemRetryRejected } from '../../../contract/console/system.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

/** Orders that their warehouse has not accepted yet. Rejected ones can be retried. */
export function TransfersTable({ transfers }: { transfers: SystemTransfer[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayRetry = useMay('admin');
  const [retried, setRetried] = useState<number | null>(null);
  const rejectedAt = [
    ...new Set(transfers.filter(({ status }) => status === 'rejected').map(({ warehouse_no }) => warehouse_no)),
  ].toSorted();
  const columns: Column<SystemTransfer>[] = [
    idColumn('number', shared.noun.number, (transfer) => transfer.partner_number, { alwaysShown: true }),
    column('account', shared.noun.account, (transfer) => transfer.account_no),
    column('warehouse', shared.noun.warehouse, (transfer) => transfer.warehouse_no, { align: 'right' }),
    column('status', shared.noun.status, ({ status }) => (
      <StatusBadge tone={status === 'rejected' ? 'failed' : 'active'}>
        {(say.transferStatus as Record<string, string>)[status] ?? status}
      </StatusBadge>
    )),
    numberColumn('tries', say.tries, (transfer) => transfer.tries),
    column('reason', shared.noun.reason, (transfer) => transfer.reason && <ServerText text={transfer.reason} />),
    timeColumn('last', say.lastTry, (transfer) => transfer.last_try_at),
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
