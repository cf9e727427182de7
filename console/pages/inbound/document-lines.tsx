import { useState } from 'react';
import type { InboundDetail, InboundLine, InboundLot } from '../../../contract/console/inbound.ts';
import { column, idColumn, wordColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { LiveList } from '../../kit/use-live-list.ts';
import classes from './inbound.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { words } from './words.ts';

/** The announced lines with their received units. */
export function DocumentLines({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<InboundLine>[] = [
    idColumn('sku', shared.noun.sku, (line) => line.sku_id, { alwaysShown: true }),
    column('name', say.column.name, (line) => line.name),
    ...(shown.lines.some(({ batch_id }) => batch_id !== '')
      ? [column('batch', shared.noun.batch, (line: InboundLine) => line.batch_id)]
      : []),
    wordColumn('expiry', shared.noun.expiry, (line) => line.expire_date ?? say.noExpiry),
    column('progress', say.column.progress, ({ announced, good, bad }) => (
      <ProgressBar announced={announced} good={good} bad={bad} />
    )),
    column('good', say.column.good, (line) => <Units units={line.good} />, { align: 'right' }),
    column('bad', say.column.bad, (line) => <Units units={line.bad} />, { align: 'right' }),
    column('missing', say.column.missing, (line) => <Units units={line.missing} />, { align: 'right' }),
    ...(shown.lines.some(({ identifier }) => identifier !== null)
      ? [
          column('identifier', say.column.identifier, (line: InboundLine) => (
            <IdText value={line.identifier} label={say.column.identifier} copy={false} />
          )),
        ]
      : []),
  ];
  return (
    <Section title={say.section.lines} flush>
      <DataTable
        bare
        name="inbound-lines"
        label={say.section.lines}
        columns={columns}
        list={useInSteps(shown.lines, ({ line_no }) => String(line_no))}
        rowName={({ sku_id }) => sku_id}
        empty={null}
      />
    </Section>
  );
}

/** The lots that hold the received units. */
export function DocumentLots({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const list = useInSteps(shown.lots, ({ lot_id }) => String(lot_id));
  if (shown.lots.length === 0) return null;
  const columns: Column<InboundLot>[] = [
    idColumn('sku', shared.noun.sku, (lot) => lot.sku_id, { alwaysShown: true }),
    column('condition', say.column.condition, (lot) => shared.stockType[lot.stock_type]),
    column('batch', shared.noun.batch, (lot) => lot.batch_id || null),
    wordColumn('expiry', shared.noun.expiry, (lot) => lot.expire_date ?? say.noExpiry),
    column('received', say.column.received, (lot) => <Units units={lot.received} />, { align: 'right' }),
    column('retracted', say.column.retracted, (lot) => <Units units={lot.retracted} />, { align: 'right' }),
  ];
  return (
    <Section title={say.section.lots} flush>
      <DataTable
        bare
        name="inbound-lots"
        label={say.section.lots}
        columns={columns}
        list={list}
        rowName={({ sku_id }) => sku_id}
        rowLink={({ lot_id }) => `/stock/${lot_id}`}
        empty={null}
      />
    </Section>
  );
}

/** A zero is dimmed. */
function Units({ units }: { units: number }) {
  return <span className={units === 0 ? classes.zero : undefined}>{formatNumber(units)}</span>;
}

const rowsPerStep = 200;

/** A document may have thousands of lines, so they are shown in steps. */
function useInSteps<Row>(rows: Row[], keyOf: (row: Row) => string): LiveList<Row> {
  const [shownMax, setShownMax] = useState(rowsPerStep);
  return {
    ...plainRows(rows.slice(0, shownMax), keyOf),
    hasMore: rows.length > shownMax,
    loadMore: () => setShownMax(shownMax + rowsPerStep),
  };
}
