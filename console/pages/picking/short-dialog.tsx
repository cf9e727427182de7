import { Button, type ButtonProps, Modal, Radio, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { PickBatch, PickLine, pickingShort } from '../../../contract/console/picking.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { formatNumber } from '../../kit/number.ts';
import type { ScanResult } from '../../kit/scan-result.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { remainingOf } from './picked-batch.ts';
import { words } from './words.ts';

interface ShortDialogProps {
  batch: PickBatch;
  line: PickLine;
  onClose(): void;
  onResult(result: ScanResult): void;
}

/** Asks why units are missing, and whether their orders are put on hold or shipped without them. */
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
  const [reason, setReason] = useState<Short['reason']>('not_found');
  // One id for the whole dialog: a second tap is a repeat.
  const [scan_id] = useState(newUuid);
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
      <Remedy hint={say.holdHint} loading={isRunning} onClick={() => report('hold')}>
        {say.hold}
      </Remedy>
      <Remedy hint={say.shipShortHint} variant="default" disabled={isRunning} onClick={() => report('ship_short')}>
        {say.shipShort}
      </Remedy>
    </Stack>
  );
}

/** A button with the consequence below it. */
function Remedy({ hint, ...button }: ButtonProps & { hint: string; children: string; onClick(): void }) {
  const id = useId();
  return (
    <div>
      <Button fullWidth size="lg" aria-describedby={id} {...button} />
      <Text id={id} size="sm" c="dimmed" mt={4}>
        {hint}
      </Text>
    </div>
  );
}

const refusals = { closed: 'closed', not_on_list: 'closed' } as const;
