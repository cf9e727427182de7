import { Alert, Anchor, Button, Group, Kbd, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { InboundDetail, InboundLine } from '../../../contract/console/inbound-detail.ts';
import type { inboundFindByScan } from '../../../contract/console/inbound-find-by-scan.ts';
import { ask } from '../../kit/ask.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { ScanField } from '../../kit/scan-field.tsx';
import { Section } from '../../kit/section.tsx';
import type { Tone } from '../../kit/status-badge.tsx';
import { DraftEntries } from './draft-entries.tsx';
import { conditionOfKey, GradeButtons } from './grade-buttons.tsx';
import classes from './inbound.module.css';
import { awaitedOf, type Condition, lineOfScan, roomFor, sumOf, withChosen, withUnit } from './receipt-draft.ts';
import { ReceiptRefusal } from './receipt-refusal.tsx';
import { ReceiptSummary } from './receipt-summary.tsx';
import { ReturnedOrder } from './returned-order.tsx';
import { useReceipt } from './use-receipt.ts';
import { words } from './words.ts';

/** Counts what has arrived, by scanner or by hand, and sends it as one receipt. Returns are graded unit by unit. */
export function ReceivingPanel({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const notices = useNotices();
  const receipt = useReceipt(shown);
  const { draft, change } = receipt;
  const [condition, setCondition] = useState<Condition>('good');
  const [last, setLast] = useState<{ tone: Tone; text: ReactNode } | null>(null);
  const [chosen, setChosen] = useState<InboundLine | null>(null);
  const [asks, setAsks] = useState<'receive' | 'discard' | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const grades = useRef<HTMLDivElement>(null);
  const isReturn = shown.kind === 'return';
  const sum = sumOf(draft.entries);
  const units = formatNumber(sum.units);
  const hasTooMany = draft.entries.some(({ skuId }) => roomFor(shown, draft, skuId) < 0);
  const canReceive = sum.units > 0 && !hasTooMany;

  const count = (line: InboundLine, as: Condition) => {
    if (roomFor(shown, draft, line.sku_id) <= 0) {
      setLast({ tone: 'failed', text: say.draft.full(line.sku_id) });
      return;
    }
    const next = withUnit(draft, line, as);
    change(next);
    setLast({
      tone: 'done',
      text: say.draft.counted(line.sku_id, formatNumber(sumOf(next.entries.filter(({ skuId }) => skuId === line.sku_id)).units)),
    });
  };
  // As long as more of the same is awaited, the next key grades the next unit.
  const grade = (as: Condition) => {
    if (chosen === null) return;
    const awaited = awaitedOf(shown, draft, chosen.sku_id);
    count(chosen, as);
    if (awaited <= 1) field.current?.querySelector('input')?.focus();
    else grades.current?.focus();
  };
  const scan = async (code: string) => {
    const line = lineOfScan(shown.lines, code);
    const key = conditionOfKey[code.toLowerCase()];
    if (line === null && isReturn && chosen && key) {
      grade(key);
      return;
    }
    if (line === null) {
      const unknown = { tone: 'failed', text: say.draft.unknown(code) } as const;
      setLast(unknown);
      const other = await findOther(code, shown.inbound_id);
      // Not over what came of a later scan.
      if (other !== null)
        setLast((present) => (present !== unknown ? present : { tone: 'failed', text: <OtherDocument code={code} inboundId={other} /> }));
      return;
    }
    if (!isReturn) {
      count(line, condition);
      return;
    }
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
  useControlEnter(() => canReceive && asks === null && setAsks('receive'));

  return (
    <Section title={isReturn ? say.section.grade : say.section.receive}>
      <div className={classes.receiving} data-alone={!isReturn || undefined}>
        <Stack gap="sm">
          {draft.isUncertain && (
            <Alert color="orange" classNames={{ title: classes.alertTitle ?? '' }} title={say.draft.uncertain} role="alert">
              <Text size="sm" mb="xs">
                {say.draft.uncertainHint}
              </Text>
              <Button loading={receipt.isSending} onClick={() => void send()}>
                {say.draft.sendAgain}
              </Button>
            </Alert>
          )}
          {!isReturn && <ConditionChoice value={condition} onChange={setCondition} />}
          <div ref={field}>
            <ScanField label={say.draft.scan} last={last} disabled={draft.isUncertain} onScan={(code) => void scan(code)} />
          </div>
          {isReturn && (
            <GradeButtons
              ref={grades}
              skuId={draft.isUncertain ? null : (chosen?.sku_id ?? null)}
              onGrade={grade}
              onScan={(code) => void scan(code)}
            />
          )}
          {receipt.refusal && <ReceiptRefusal refusal={receipt.refusal} />}
          {draft.entries.length === 0 ? (
            <EmptyState title={say.draft.nothing} hint={say.draft.nothingHint} />
          ) : (
            <DraftEntries document={shown} draft={draft} onChange={change} />
          )}
          <div className={classes.foot}>
            <AddProduct document={shown} disabled={draft.isUncertain} onAdd={(line) => change(withChosen(draft, line))} />
            <Button variant="default" disabled={draft.entries.length === 0} onClick={() => setAsks('discard')}>
              {say.draft.discard}
            </Button>
            <Button
              disabled={!canReceive || draft.isUncertain}
              onClick={() => setAsks('receive')}
              rightSection={
                <Kbd aria-hidden visibleFrom="sm">
                  {receiveKeys}
                </Kbd>
              }
            >
              {say.draft.receive(units)}
            </Button>
          </div>
        </Stack>
        {isReturn && <ReturnedOrder document={shown} />}
      </div>
      <ConfirmDialog
        opened={asks === 'receive'}
        onClose={() => setAsks(null)}
        title={say.draft.question(units, shown.partner_number)}
        confirmLabel={say.draft.receive(units)}
        isRunning={receipt.isSending}
        onConfirm={() => void send()}
      >
        <ReceiptSummary document={shown} draft={draft} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'discard'}
        onClose={() => setAsks(null)}
        danger
        title={say.draft.discardQuestion(units)}
        confirmLabel={say.draft.discard}
        onConfirm={() => {
          receipt.discard();
          setLast(null);
          setAsks(null);
        }}
      >
        {say.draft.discardEffect(shown.partner_number)}
      </ConfirmDialog>
    </Section>
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

/** What is not of this document may be the label of the next one. */
async function findOther(code: string, inboundId: number): Promise<number | null> {
  const answer = await ask<typeof inboundFindByScan>('/inbound/find-by-scan', { text: code }).catch(() => null);
  const others = answer?.kind === 'documents' ? answer.documents.filter(({ inbound_id }) => inbound_id !== inboundId) : [];
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

/** For what has no barcode. */
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
