import { Alert, Button, Group, Text } from '@mantine/core';
import type { InboundDetail } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import classes from './inbound.module.css';
import { sumOf } from './receipt-draft.ts';
import { ReceiptRefusal } from './receipt-refusal.tsx';
import { ReceiptSummary } from './receipt-summary.tsx';
import { useReceipt } from './use-receipt.ts';
import { words } from './words.ts';

/**
 * Shows units that were counted in this tab for a document that has since been closed, so that they are not lost
 * unnoticed.
 */
export function LeftOverDraft({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const notices = useNotices();
  const { draft, send, discard, refusal, isSending } = useReceipt(shown);
  const { units } = sumOf(draft.entries);
  const isCounted = shown.receipts.some(({ receipt_no }) => receipt_no === draft.receiptNo);
  if (units === 0 || isCounted) return null;
  const sendAgain = async () => {
    const answer = await send();
    if (answer?.kind === 'repeated') notices.done(say.draft.repeated);
  };
  return (
    <Alert
      color="orange"
      classNames={{ title: classes.alertTitle ?? '' }}
      title={say.draft.leftOver(formatNumber(units))}
      role="alert"
      mb="sm"
    >
      <Text component="div" size="sm" mb="xs">
        <ReceiptSummary document={shown} draft={draft} />
      </Text>
      {refusal && <ReceiptRefusal refusal={refusal} />}
      <Group gap="sm" mt="xs">
        <Button variant="default" onClick={discard}>
          {say.draft.discard}
        </Button>
        {draft.isUncertain && (
          <Button loading={isSending} onClick={() => void sendAgain()}>
            {say.draft.sendAgain}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
