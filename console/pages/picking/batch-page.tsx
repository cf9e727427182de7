import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { PickBatch, PickLine } from '../../../contract/console/picking.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { basePath } from '../../kit/base-path.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { ScanField } from '../../kit/scan-field.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { printPath } from '../print/print-job.ts';
import { PrintMenu } from '../print/print-menu.tsx';
import { BatchSlots } from './batch-slots.tsx';
import { FinishButton } from './finish-button.tsx';
import { CurrentLine, LineRow } from './pick-line.tsx';
import { currentLine, keyOf, progressOf, remainingOf } from './picked-batch.ts';
import classes from './picking.module.css';
import { ShortDialog } from './short-dialog.tsx';
import { type Picking, useBatch } from './use-batch.ts';
import { words } from './words.ts';

/** One walk through the warehouse for all orders of a batch. */
export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { batchId = '' } = useParams();
  const back = { to: '/picking', label: say.title };
  if (!useMay('staff')) return <EmptyState title={shared.errorKind.forbidden} hint={shared.role.staff} />;
  return (
    <>
      <PageHeader title={say.batch(batchId)} back={back} />
      <Batch batchId={Number(batchId)} />
    </>
  );
}

function Batch({ batchId }: { batchId: number }) {
  const picking = useBatch(batchId);
  return (
    <AskedContent asked={picking.asked}>
      {(batch) => (batch.closed_at === null ? <OpenBatch batch={batch} picking={picking} /> : <Closed batch={batch} />)}
    </AskedContent>
  );
}

function Closed({ batch }: { batch: PickBatch }) {
  const say = useWords(words);
  const picked = batch.orders.filter(({ state }) => state === 'picked');
  return (
    <div className={classes.stack}>
      <Text fw={600}>
        {say.closedHint} {say.finished(formatNumber(picked.length))}
      </Text>
      {picked.length > 0 && (
        <div className={classes.actions}>
          <Button component={Link} to="/pack" size="md">
            {say.toPacking}
          </Button>
          <PrintMenu orderIds={picked.map(({ order_id }) => order_id)} size="md" />
        </div>
      )}
      <BatchSlots orders={batch.orders} />
    </div>
  );
}

function OpenBatch({ batch, picking }: { batch: PickBatch; picking: Picking }) {
  const say = useWords(words);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isShort, setShort] = useState(false);
  const line = currentLine(batch, chosen);
  const { done, all } = progressOf(batch);
  return (
    <div className={classes.stack}>
      <progress className={classes.progress} value={done} max={all} aria-label={say.title} />
      <div className={classes.overview}>
        <Text size="sm" c="dimmed">
          {say.progress(formatNumber(done), formatNumber(all))}
        </Text>
        <Anchor size="sm" href={`${basePath}${pickListPath(batch)}`} target="_blank" rel="noopener">
          {say.print}
        </Anchor>
      </div>
      {line ? <CurrentLine line={line} /> : <div className={classes.complete}>{say.complete}</div>}
      <ScanField
        label={say.scan}
        multiplies
        turn={`${isShort}/${chosen}`}
        last={picking.last}
        onScan={(code, times) => picking.scan(code, times, line)}
      />
      <Lines batch={batch} current={line} onChoose={setChosen} />
      <BatchSlots orders={batch.orders} />
      <div className={classes.bar}>
        {line ? (
          <>
            <Button size="lg" variant="default" onClick={() => setShort(true)}>
              {say.missing}
            </Button>
            <Button size="lg" onClick={() => void picking.confirm(line, remainingOf(line))}>
              {say.confirm(formatNumber(remainingOf(line)))}
            </Button>
          </>
        ) : (
          <FinishButton batch={batch} />
        )}
      </div>
      {line && <FinishButton batch={batch} />}
      {isShort && line && (
        <ShortDialog batch={batch} line={line} onClose={() => setShort(false)} onResult={picking.show} />
      )}
    </div>
  );
}

/** On paper, for a cart without a device. Orders that have left the batch are not on it. */
function pickListPath({ batch_id, orders }: PickBatch): string {
  const present = orders.filter(({ state }) => state !== 'left');
  return printPath(
    'pick-list',
    present.map(({ order_id }) => order_id),
    { batch: batch_id, slots: present.map(({ slot }) => slot) },
  );
}

interface LinesProps {
  batch: PickBatch;
  current: PickLine | null;
  onChoose(key: string): void;
}

function Lines({ batch, current, onChoose }: LinesProps) {
  const say = useWords(words);
  const open = batch.lines.filter((line) => remainingOf(line) > 0);
  const done = batch.lines.filter((line) => remainingOf(line) === 0);
  const row = (line: PickLine) => (
    <LineRow key={keyOf(line)} line={line} isCurrent={line === current} onChoose={() => onChoose(keyOf(line))} />
  );
  return (
    <>
      {open.length > 0 && (
        <Section title={`${say.toPick} (${formatNumber(open.length)})`} flush>
          <ol className={classes.rows}>{open.map(row)}</ol>
        </Section>
      )}
      {done.length > 0 && (
        <details className={classes.done}>
          <summary>{say.done(formatNumber(done.length))}</summary>
          <ol className={classes.rows}>{done.map(row)}</ol>
        </details>
      )}
    </>
  );
}
