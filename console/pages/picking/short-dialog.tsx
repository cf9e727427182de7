import { Button, Modal, Radio, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { PickBatch, PickLine, pickingShort } from '../../../contract/console/picking.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import type { ScanResult } from '../../kit/scan-result.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { remainingOf } from './picked-batch.ts';
import { newId } from './use-claim.ts';
import { words } from './words.ts';

interface ShortDialogProps {
  batch: PickBatch;
  line: PickLine;
  onClose(): void;
  onResult(result: ScanResult): void;
}

/** Units that are not on the shelf: why, and what becomes of their orders. */
export function ShortDialog(props: ShortDialogProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={say.shortTitle(props.line.sku_id)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <ShortForm {...props} />
    </Modal>
  );
}

type Short = BodyOf<typeof pickingShort>;
const reasons = ['not_found', 'damaged', 'expired', 'other'] as const satisfies Short['reason'][];

function ShortForm({ batch: { batch_id }, line, onClose, onResult }: ShortDialogProps) {
  const say = useWords(words);
  const id = useId();
  const [reason, setReason] = useState<Short['reason']>('not_found');
  // One id for the whole dialog: a second tap is a repeat.
  const [scan_id] = useState(newId);
  useFocusBack();
  const { run, isRunning } = useChange<typeof pickingShort>('/picking/short', {
    onAnswer(answer) {
      onClose();
      if (answer.kind === 'nothing_missing') return onResult({ tone: 'done', text: say.nothingMissing });
      if (answer.kind !== 'short')
        return onResult({ tone: 'failed', text: say.refusal[refusals[answer.kind]] as string });
      const orders = answer.orders.map(
        ({ slot, outcome }) => `${say.slot(formatNumber(slot))} ${say.shortDone[outcome]}`,
      );
      onResult({ tone: 'stopped', text: say.put(answer.sku_id, orders.join(say.comma)) });
    },
  });
  const { account_no, lot_id } = line;
  const report = (remedy: Short['remedy']) => void run({ batch_id, scan_id, account_no, lot_id, reason, remedy });
  const slots = line.slots.filter(({ qty, picked, short }) => qty > picked + short);
  const slotText = slots.map(({ slot }) => formatNumber(slot)).join(say.comma);
  return (
    <Stack gap="md">
      <Text>{say.shortText(formatNumber(remainingOf(line)), slotText)}</Text>
      <Radio.Group
        label={say.shortReason}
        value={reason}
        onChange={(value) => setReason(reasons.find((one) => one === value)!)}
      >
        <Stack gap="sm" mt="xs">
          {reasons.map((one) => (
            <Radio key={one} size="md" value={one} label={say.reason[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <div>
        <Button fullWidth size="lg" loading={isRunning} aria-describedby={`${id}-hold`} onClick={() => report('hold')}>
          {say.hold}
        </Button>
        <Text id={`${id}-hold`} size="sm" c="dimmed" mt={4}>
          {say.holdHint}
        </Text>
      </div>
      <div>
        <Button
          fullWidth
          size="lg"
          variant="default"
          disabled={isRunning}
          aria-describedby={`${id}-ship`}
          onClick={() => report('ship_short')}
        >
          {say.shipShort}
        </Button>
        <Text id={`${id}-ship`} size="sm" c="dimmed" mt={4}>
          {say.shipShortHint}
        </Text>
      </div>
    </Stack>
  );
}

const refusals = { closed: 'closed', not_on_list: 'closed' } as const;
