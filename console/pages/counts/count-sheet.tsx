import { ActionIcon, Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { BlindLine, CountProduct, CountSheet } from '../../../contract/console/counts.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { ScanField } from '../../kit/scan-field.tsx';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { ChooseLot } from './choose-lot.tsx';
import { formatLot, lotKey, lotOf, productsById } from './count-lot.ts';
import classes from './counts.module.css';
import { type OwnEntry, useCount } from './use-count.ts';
import { words } from './words.ts';

/** The blind sheet: scan, and see which lots are still to be counted. */
export function CountSheetPanel({ sheet }: { sheet: CountSheet }) {
  const say = useWords(words);
  const { lines, update } = useLines(sheet);
  const products = productsById(sheet.products);
  const count = useCount(sheet.count.count_id, update);
  const [entering, setEntering] = useState<BlindLine | null>(null);
  const counted = lines.filter((line) => line.counted !== null).length;
  const turn = `${entering === null}/${count.question === null}`;
  return (
    <div className={classes.desk}>
      <div className={classes.main}>
        <ScanField multiplies label={say.scan} onScan={count.scan} last={count.last} turn={turn} />
        {count.question && <ChooseLot key={count.question.product.product_id} question={count.question} />}
        {count.unsent && <UnsentScan onSend={count.unsent.sendAgain} />}
        {count.question === null && <LatestLot count={count} lines={lines} />}
        <OwnEntries entries={count.entries} onUndo={(entry) => void count.undo(entry)} />
      </div>
      <Section title={say.sheet} actions={say.progress(formatNumber(counted), formatNumber(lines.length))}>
        {lines.length === 0 && <Text c="dimmed">{say.nothingOnSheet}</Text>}
        {sheet.is_cut && <Text c="dimmed">{say.cut(formatNumber(sheet.lines.length))}</Text>}
        <ul className={classes.lines}>
          {lines.map((line) => (
            <SheetRow key={lotKey(line)} line={line} product={products.get(line.product_id)} onEnter={setEntering} />
          ))}
        </ul>
      </Section>
      {entering && (
        <EnterUnits
          line={entering}
          product={products.get(entering.product_id)!}
          onClose={() => setEntering(null)}
          onEnter={(units) => void count.enter(products.get(entering.product_id)!, lotOf(entering), units)}
        />
      )}
    </div>
  );
}

function UnsentScan({ onSend }: { onSend(): void }) {
  const say = useWords(words);
  return (
    <Alert color="orange" classNames={{ title: classes.alertTitle ?? '' }} title={say.unsent} role="alert">
      <Text size="sm" mb="xs">
        {say.unsentHint}
      </Text>
      <Button size="md" onClick={onSend}>
        {say.sendAgain}
      </Button>
    </Alert>
  );
}

/** The lot for which further scans of the product count. */
function LatestLot({ count, lines }: { count: ReturnType<typeof useCount>; lines: BlindLine[] }) {
  const say = useWords(words);
  const latest = count.entries[0];
  if (latest === undefined) return null;
  const lots = lines.filter(({ product_id }) => product_id === latest.product.product_id).map(lotOf);
  return (
    <div className={classes.latest}>
      <div className={classes.what}>
        <strong>{latest.product.name}</strong>
        <div>{formatLot(latest.lot, say)}</div>
      </div>
      <Button size="md" variant="default" onClick={() => void count.chooseLot(latest.product, lots)}>
        {say.lot.change}
      </Button>
    </div>
  );
}

/** The lines of the sheet with those that this device has counted since it was loaded. */
function useLines(sheet: CountSheet) {
  const [own, setOwn] = useState<{ of: CountSheet; lines: Map<string, BlindLine> }>({ of: sheet, lines: new Map() });
  const lines = own.of === sheet ? own.lines : new Map<string, BlindLine>();
  const known = new Set(sheet.lines.map(lotKey));
  const update = (line: BlindLine) =>
    setOwn((before) => ({
      of: sheet,
      lines: new Map([...(before.of === sheet ? before.lines : []), [lotKey(line), line]]),
    }));
  const added = [...lines.values()].filter((line) => !known.has(lotKey(line)));
  return { lines: [...sheet.lines.map((line) => lines.get(lotKey(line)) ?? line), ...added], update };
}

interface SheetRowProps {
  line: BlindLine;
  product: CountProduct | undefined;
  onEnter(line: BlindLine): void;
}

/** A tap enters units without a scanner. */
function SheetRow({ line, product, onEnter }: SheetRowProps) {
  const say = useWords(words);
  return (
    <li>
      <button type="button" className={classes.row} disabled={product === undefined} onClick={() => onEnter(line)}>
        <span className={classes.what}>
          <span className={classes.sku}>
            {product?.location && <span className={classes.location}>{product.location}</span>} {product?.sku_id}
          </span>
          <span className={classes.second}>
            {product?.name} · <span className={classes.lot}>{formatLot(line, say)}</span>
          </span>
        </span>
        <span className={classes.figure}>
          {line.counted === null ? (
            <StatusBadge tone={line.round > 1 ? 'failed' : 'todo'}>
              {line.round > 1 ? say.recountAsked : say.notCounted}
            </StatusBadge>
          ) : (
            <StatusBadge tone="done">{formatNumber(line.counted)}</StatusBadge>
          )}
        </span>
      </button>
    </li>
  );
}

function OwnEntries({ entries, onUndo }: { entries: OwnEntry[]; onUndo(entry: OwnEntry): void }) {
  const say = useWords(words);
  if (entries.length === 0) return null;
  return (
    <Section title={say.mine}>
      <ul className={classes.entries}>
        {entries.map((entry) => {
          const what = `+${formatNumber(entry.units)} ${entry.product.sku_id}`;
          return (
            <li key={entry.scanId}>
              <span className={classes.what}>
                <span className={classes.sku}>{what}</span>
                <span className={classes.second}>{formatLot(entry.lot, say)}</span>
              </span>
              <ActionIcon size={44} variant="default" aria-label={say.undo(what)} onClick={() => onUndo(entry)}>
                <IconArrowBackUp size={20} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

interface EnterUnitsProps {
  line: BlindLine;
  product: CountProduct;
  onClose(): void;
  onEnter(units: number): void;
}

function EnterUnits(props: EnterUnitsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={say.enter.title(props.product.sku_id)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <EnterForm {...props} />
    </Modal>
  );
}

function EnterForm({ line, product, onClose, onEnter }: EnterUnitsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [units, setUnits] = useState<number | string>('');
  useFocusBack();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof units !== 'number') return;
    onEnter(units);
    onClose();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {product.name} · {formatLot(line, say)}
        </Text>
        <NumberInput
          data-autofocus
          size="lg"
          label={say.enter.units}
          description={say.enter.hint}
          min={0}
          max={1_000_000_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          inputMode="numeric"
          value={units}
          onChange={setUnits}
        />
        <Group justify="flex-end" gap="sm">
          <Button size="md" variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button size="md" type="submit" disabled={typeof units !== 'number'}>
            {say.enter.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
