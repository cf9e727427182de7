import type { orderTransferRetry } from '../../../contract/console/orders.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import type { BulkResult } from '../../kit/result-list.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { type ActedOnOrder, nameOf, useWhat } from './acted-on-order.ts';
import { words } from './words.ts';

interface ResendQuestionProps {
  orders: ActedOnOrder[];
  onClose(): void;
  onResults(title: string, results: BulkResult[]): void;
}

/** Sends rejected orders to their warehouse again. */
export function ResendQuestion({ orders, onClose, onResults }: ResendQuestionProps) {
  const say = useWords(words);
  const what = useWhat(orders);
  const resend = useChange<typeof orderTransferRetry>('/orders/transfer-retry', {
    onAnswer: ({ results }) =>
      onResults(
        say.resendResults,
        results.map((result) => ({
          ...nameOf(result),
          ok: result.kind === 'waiting',
          text: { waiting: say.result.retried, not_rejected: say.result.notRejected, not_found: say.result.notFound }[
            result.kind
          ],
        })),
      ),
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={say.resendQuestion(what)}
      confirmLabel={say.resendButton(what)}
      isRunning={resend.isRunning}
      onConfirm={() => void resend.run({ order_ids: orders.map(({ order_id }) => order_id) })}
    >
      {say.resendEffect}
    </ConfirmDialog>
  );
}
