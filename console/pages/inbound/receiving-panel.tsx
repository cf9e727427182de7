import { Alert, Button, Group, Kbd, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import type { InboundDetail, InboundLine } from '../../../contract/console/inbound.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { ScanField } from '../../kit/scan-field.tsx';
import { Section } from '../../kit/section.tsx';
import { DraftEntries } from './draft-entries.tsx';
import { GradeButtons } from './grade-buttons.tsx';
import classes from './inbound.module.css';
import type { Condition } from './receipt-draft.ts';
import { ReceiptRefusal } from './receipt-refusal.tsx';
import { ReceiptSummary } from './receipt-summary.tsx';
import { ReturnReasonChoice } from './return-reason-choice.tsx';
import { ReturnedOrder } from './returned-order.tsx';
import { type Receiving, useReceiving } from './use-receiving.tsx';
import { words } from './words.ts';

/** Counts arrived units by scanner or keyboard and sends them as one receipt. Returns are graded unit by unit. */
export function ReceivingPanel({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const panel = useReceiving(shown);
  const { draft, change } = panel.receipt;
  const isReturn = shown.kind === 'return';
  return (
    <Section title={isReturn ? say.section.grade : say.section.receive}>
      <div className={classes.receiving} data-alone={!isReturn || undefined}>
        <Stack gap="sm">
          {draft.isUncertain && <UncertainReceipt isSending={panel.receipt.isSending} onSend={panel.send} />}
          {!isReturn && <ConditionChoice value={panel.condition} onChange={panel.setCondition} />}
          <ScanField
            label={say.draft.scan}
            last={panel.last}
            disabled={draft.isUncertain}
            turn={panel.turn}
            multiplies={!isReturn}
            onScan={panel.scan}
          />
          {isReturn && (
            <GradeButtons
              ref={panel.grades}
              chosen={draft.isUncertain ? null : panel.chosen}
              onGrade={panel.grade}
              onScan={(code) => void panel.scan(code)}
            />
          )}
          {panel.receipt.refusal && <ReceiptRefusal refusal={panel.receipt.refusal} />}
          {draft.entries.length === 0 ? (
            <EmptyState title={say.draft.nothing} hint={say.draft.nothingHint} />
          ) : (
            <DraftEntries document={shown} draft={draft} onChange={change} onLeave={panel.toScanner} />
          )}
          <AddProduct document={shown} disabled={draft.isUncertain} onAdd={panel.add} />
          <ReceivingFoot panel={panel} />
        </Stack>
        {isReturn && <ReturnedOrder document={shown} />}
      </div>
      <ReceivingQuestions document={shown} panel={panel} />
    </Section>
  );
}

function UncertainReceipt({ isSending, onSend }: { isSending: boolean; onSend(): Promise<void> }) {
  const say = useWords(words);
  return (
    <Alert color="orange" classNames={{ title: classes.alertTitle ?? '' }} title={say.draft.uncertain} role="alert">
      <Text size="sm" mb="xs">
        {say.draft.uncertainHint}
      </Text>
      <Button loading={isSending} onClick={() => void onSend()}>
        {say.draft.sendAgain}
      </Button>
    </Alert>
  );
}

function ReceivingFoot({ panel }: { panel: Receiving }) {
  const say = useWords(words);
  const { draft } = panel.receipt;
  return (
    <div className={classes.foot}>
      <Button variant="default" disabled={draft.entries.length === 0} onClick={() => panel.setAsks('discard')}>
        {say.draft.discard}
      </Button>
      <Button
        disabled={!panel.canReceive || draft.isUncertain}
        onClick={() => panel.setAsks('receive')}
        rightSection={
          <Kbd aria-hidden visibleFrom="sm">
            {receiveKeys}
          </Kbd>
        }
      >
        {say.draft.receive(panel.units)}
      </Button>
    </div>
  );
}

function ReceivingQuestions({ document: shown, panel }: { document: InboundDetail; panel: Receiving }) {
  const say = useWords(words);
  const { asks, close, units, receipt } = panel;
  return (
    <>
      <ConfirmDialog
        opened={asks === 'receive'}
        onClose={close}
        title={say.draft.question(units, shown.partner_number)}
        confirmLabel={say.draft.receive(units)}
        isRunning={receipt.isSending}
        onConfirm={() => void panel.send()}
      >
        <ReceiptSummary document={shown} draft={receipt.draft} />
        {shown.kind === 'return' && (
          <ReturnReasonChoice
            value={receipt.draft.returnReason ?? null}
            isMissing={panel.isReasonMissing}
            onChange={panel.setReason}
          />
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'discard'}
        onClose={close}
        danger
        title={say.draft.discardQuestion(units)}
        confirmLabel={say.draft.discard}
        onConfirm={panel.discard}
      >
        {say.draft.discardEffect(shown.partner_number)}
      </ConfirmDialog>
    </>
  );
}

const receiveKeys = 'Ctrl ⏎';

function ConditionChoice({ value, onChange }: { value: Condition; onChange(value: Condition): void }) {
  const say = useWords(words);
  const id = useId();
  return (
    <Group gap="sm">
      <Text size="sm" id={id}>
        {say.draft.eachCounts}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(chosen as Condition)}
        data={[
          { value: 'good', label: say.grade.good },
          { value: 'bad', label: say.grade.bad },
        ]}
      />
    </Group>
  );
}

interface AddProductProps {
  document: InboundDetail;
  disabled: boolean;
  onAdd(line: InboundLine): void;
}

/** For products without a barcode. */
function AddProduct({ document: shown, disabled, onAdd }: AddProductProps) {
  const say = useWords(words);
  return (
    <Select
      aria-label={say.draft.add}
      placeholder={say.draft.add}
      className={classes.addProduct ?? ''}
      searchable
      disabled={disabled}
      limit={50}
      value={null}
      data={shown.products
        .filter(({ still_accepted }) => still_accepted > 0)
        .map(({ sku_id, name }) => ({ value: sku_id, label: name === sku_id ? sku_id : `${sku_id} ${name}` }))}
      onChange={(skuId) => {
        const line = shown.lines.find(({ sku_id }) => sku_id === skuId);
        if (line) onAdd(line);
      }}
    />
  );
}
