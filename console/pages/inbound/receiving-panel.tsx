import { Alert, Anchor, Button, Group, Kbd, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { InboundDetail, InboundLine, inboundFindByScan } from '../../../contract/console/inbound.ts';
import { ask } from '../../kit/ask.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { ScanField } from '../../kit/scan-field.tsx';
import { useScanResult } from '../../kit/scan-result.ts';
import { Section } from '../../kit/section.tsx';
import { DraftEntries } from './draft-entries.tsx';
import { conditionOfKey, GradeButtons } from './grade-buttons.tsx';
import classes from './inbound.module.css';
import {
  awaitedOf,
  type Condition,
  lineOfScan,
  type ReceiptDraft,
  roomFor,
  sumOf,
  withChosen,
  withUnit,
} from './receipt-draft.ts';
import { ReceiptRefusal } from './receipt-refusal.tsx';
import { ReceiptSummary } from './receipt-summary.tsx';
import { ReturnedOrder } from './returned-order.tsx';
import { useReceipt } from './use-receipt.ts';
import { words } from './words.ts';

/** Counts arrived units by scanner or keyboard and sends them as one receipt. Returns are graded unit by unit. */
export function ReceivingPanel({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const panel = useReceiving(shown);
  const { draft, change } = panel.receipt;
  const { field, grades } = panel;
  const isReturn = shown.kind === 'return';
  return (
    <Section title={isReturn ? say.section.grade : say.section.receive}>
      <div className={classes.receiving} data-alone={!isReturn || undefined}>
        <Stack gap="sm">
          {draft.isUncertain && <UncertainReceipt isSending={panel.receipt.isSending} onSend={panel.send} />}
          {!isReturn && <ConditionChoice value={panel.condition} onChange={panel.setCondition} />}
          <div ref={field}>
            <ScanField label={say.draft.scan} last={panel.last} disabled={draft.isUncertain} onScan={panel.scan} />
          </div>
          {isReturn && (
            <GradeButtons
              ref={grades}
              skuId={draft.isUncertain ? null : (panel.chosen?.sku_id ?? null)}
              onGrade={panel.grade}
              onScan={(code) => void panel.scan(code)}
            />
          )}
          {panel.receipt.refusal && <ReceiptRefusal refusal={panel.receipt.refusal} />}
          {draft.entries.length === 0 ? (
            <EmptyState title={say.draft.nothing} hint={say.draft.nothingHint} />
          ) : (
            <DraftEntries document={shown} draft={draft} onChange={change} />
          )}
          <ReceivingFoot document={shown} panel={panel} />
        </Stack>
        {isReturn && <ReturnedOrder document={shown} />}
      </div>
      <ReceivingQuestions document={shown} panel={panel} />
    </Section>
  );
}

type Receiving = ReturnType<typeof useReceiving>;

function useReceiving(shown: InboundDetail) {
  const say = useWords(words);
  const notices = useNotices();
  const receipt = useReceipt(shown);
  const { draft } = receipt;
  const [condition, setCondition] = useState<Condition>('good');
  const { last, show: setLast, refine } = useScanResult();
  const [chosen, setChosen] = useState<InboundLine | null>(null);
  const [asks, setAsks] = useState<'receive' | 'discard' | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const grades = useRef<HTMLDivElement>(null);
  const units = formatNumber(sumOf(draft.entries).units);
  const canReceive = canBeReceived(shown, draft);

  const count = (line: InboundLine, as: Condition) => {
    if (roomFor(shown, draft, line.sku_id) <= 0) return setLast({ tone: 'failed', text: say.draft.full(line.sku_id) });
    const next = withUnit(draft, line, as);
    receipt.change(next);
    const counted = sumOf(next.entries.filter(({ skuId }) => skuId === line.sku_id)).units;
    setLast({ tone: 'done', text: say.draft.counted(line.sku_id, formatNumber(counted)) });
  };
  // As long as more of the same is awaited, the next key grades the next unit.
  const grade = (as: Condition) => {
    if (chosen === null) return;
    const awaited = awaitedOf(shown, draft, chosen.sku_id);
    count(chosen, as);
    if (awaited <= 1) field.current?.querySelector('input')?.focus();
    else grades.current?.focus();
  };
  const showUnknown = async (code: string) => {
    const unknown = { tone: 'failed', text: say.draft.unknown(code) } as const;
    setLast(unknown);
    const other = await findOther(code, shown.inbound_id);
    if (other === null) return;
    const text = <OtherDocument code={code} inboundId={other} />;
    refine(unknown, { tone: 'failed', text });
  };
  const scan = async (code: string) => {
    const isReturn = shown.kind === 'return';
    const line = lineOfScan(shown.lines, code);
    const key = conditionOfKey[code.toLowerCase()];
    if (line === null && isReturn && chosen && key) return grade(key);
    if (line === null) return await showUnknown(code);
    if (!isReturn) return count(line, condition);
    setChosen(line);
    setLast({ tone: 'active', text: say.draft.chosen(line.sku_id) });
    grades.current?.focus();
  };
  const send = async () => {
    setLast(null);
    const answer = await receipt.send();
    setAsks(null);
    if (answer?.kind === 'counted') notices.done(say.draft.counting(units));
    if (answer?.kind === 'repeated') notices.done(say.draft.repeated);
    if (answer?.kind === 'counted' || answer?.kind === 'repeated') setChosen(null);
  };
  const discard = () => {
    receipt.discard();
    setLast(null);
    setAsks(null);
  };
  useControlEnter(() => canReceive && asks === null && setAsks('receive'));
  return {
    ...{ receipt, condition, setCondition, last, chosen, asks, setAsks, field, grades, units, canReceive },
    ...{ grade, scan, send, discard },
  };
}

function canBeReceived(shown: InboundDetail, draft: ReceiptDraft): boolean {
  const hasTooMany = draft.entries.some(({ skuId }) => roomFor(shown, draft, skuId) < 0);
  return sumOf(draft.entries).units > 0 && !hasTooMany;
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

function ReceivingFoot({ document: shown, panel }: { document: InboundDetail; panel: Receiving }) {
  const say = useWords(words);
  const { draft, change } = panel.receipt;
  return (
    <div className={classes.foot}>
      <AddProduct document={shown} disabled={draft.isUncertain} onAdd={(line) => change(withChosen(draft, line))} />
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
  const { asks, setAsks, units, receipt } = panel;
  return (
    <>
      <ConfirmDialog
        opened={asks === 'receive'}
        onClose={() => setAsks(null)}
        title={say.draft.question(units, shown.partner_number)}
        confirmLabel={say.draft.receive(units)}
        isRunning={receipt.isSending}
        onConfirm={() => void panel.send()}
      >
        <ReceiptSummary document={shown} draft={receipt.draft} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'discard'}
        onClose={() => setAsks(null)}
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

function useControlEnter(onPress: () => void): void {
  const pressed = useEffectEvent(onPress);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) pressed();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** A number that is not in this document may belong to another document. */
async function findOther(code: string, inboundId: number): Promise<number | null> {
  const answer = await ask<typeof inboundFindByScan>('/inbound/find-by-scan', { text: code }).catch(() => null);
  const others =
    answer?.kind === 'documents' ? answer.documents.filter(({ inbound_id }) => inbound_id !== inboundId) : [];
  return others.length === 1 ? others[0]!.inbound_id : null;
}

function OtherDocument({ code, inboundId }: { code: string; inboundId: number }) {
  const say = useWords(words);
  return (
    <>
      {say.draft.otherDocument(code)}{' '}
      <Anchor component={Link} to={`/inbound/${inboundId}`} inherit>
        {say.draft.openOther}
      </Anchor>
    </>
  );
}

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
      searchable
      disabled={disabled}
      limit={50}
      value={null}
      data={shown.products
        .filter(({ still_accepted }) => still_accepted > 0)
        .map(({ sku_id, name }) => ({ value: sku_id, label: name === sku_id ? sku_id : `${sku_id} ${name}` }))}
      onChange={(skuId) => {
        const line = skuId === null ? null : lineOfScan(shown.lines, skuId);
        if (line) onAdd(line);
      }}
    />
  );
}
