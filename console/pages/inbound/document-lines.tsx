import { useState } from 'react';
import type { InboundDetail, InboundLine, InboundLot } from '../../../contract/console/inbound-detail.ts';
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

/** What was announced, and what has come of it. */
export function DocumentLines({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<InboundLine>[] = [
    {
      key: 'sku',
      title: shared.noun.sku,
      alwaysShown: true,
      cell: (line) => <IdText value={line.sku_id} label={shared.noun.sku} copy={false} />,
    },
    { key: 'name', title: say.column.name, cell: (line) => line.name },
    ...(shown.lines.some(({ batch_id }) => batch_id !== '')
      ? [{ key: 'batch', title: shared.noun.batch, cell: (line: InboundLine) => line.batch_id }]
      : []),
    { key: 'expiry', title: shared.noun.expiry, cell: (line) => line.expire_date ?? say.noExpiry },
    {
      key: 'progress',
      title: say.column.progress,
      cell: ({ announced, good, bad }) => <ProgressBar announced={announced} good={good} bad={bad} />,
    },
    { key: 'good', title: say.column.good, align: 'right', cell: (line) => <Units units={line.good} /> },
    { key: 'bad', title: say.column.bad, align: 'right', cell: (line) => <Units units={line.bad} /> },
    { key: 'missing', title: say.column.missing, align: 'right', cell: (line) => <Units units={line.missing} /> },
    ...(shown.lines.some(({ identifier }) => identifier !== null)
      ? [
          {
            key: 'identifier',
            title: say.column.identifier,
            cell: (line: InboundLine) => <IdText value={line.identifier} label={say.column.identifier} copy={false} />,
          },
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

/** In which lots the units are now. */
export function DocumentLots({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const list = useInSteps(shown.lots, ({ lot_id }) => String(lot_id));
  if (shown.lots.length === 0) return null;
  const columns: Column<InboundLot>[] = [
    {
      key: 'sku',
      title: shared.noun.sku,
      alwaysShown: true,
      cell: (lot) => <IdText value={lot.sku_id} label={shared.noun.sku} copy={false} />,
    },
    { key: 'condition', title: say.column.condition, cell: (lot) => shared.stockType[lot.stock_type] },
    { key: 'batch', title: shared.noun.batch, cell: (lot) => lot.batch_id || null },
    { key: 'expiry', title: shared.noun.expiry, cell: (lot) => lot.expire_date ?? say.noExpiry },
    { key: 'received', title: say.column.received, align: 'right', cell: (lot) => <Units units={lot.received} /> },
    { key: 'retracted', title: say.column.retracted, align: 'right', cell: (lot) => <Units units={lot.retracted} /> },
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

/** None is not worth a look. */
function Units({ units }: { units: number }) {
  return <span className={units === 0 ? classes.zero : undefined}>{formatNumber(units)}</span>;
}

const rowsPerStep = 200;

/** A document may have thousands of lines; so many are drawn at once. */
function useInSteps<Row>(rows: Row[], keyOf: (row: Row) => string): LiveList<Row> {
  const [shownMax, setShownMax] = useState(rowsPerStep);
  return {
    ...plainRows(rows.slice(0, shownMax), keyOf),
    hasMore: rows.length > shownMax,
    loadMore: () => setShownMax(shownMax + rowsPerStep),
  };
}
