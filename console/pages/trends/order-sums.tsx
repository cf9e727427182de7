import type { ExportList } from '../../../contract/console/exports.ts';
import type { OrderTrendCounts } from '../../../contract/console/trends.ts';
import { column, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { ExportMenu } from '../../kit/export-menu.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { formatPercent } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import type { LiveList } from '../../kit/use-live-list.ts';
import { words } from './words.ts';

export type NameOf = (key: string) => string;

interface OrderSumsProps {
  title: string;
  firstColumn: string;
  name: ExportList;
  rows: (OrderTrendCounts & { key: string })[];
  /** The call that sums them. */
  question: LiveList<never>['question'];
  nameOf: NameOf;
}

/** The sums of a period by warehouse, account or carrier. */
export function OrderSums({ title, firstColumn, name, rows, question, nameOf }: OrderSumsProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const columns: Column<OrderSumsProps['rows'][number]>[] = [
    column('name', firstColumn, (row) => nameOf(row.key), { alwaysShown: true }),
    numberColumn('created', say.count.created, (row) => row.created),
    numberColumn('shipped', say.count.shipped, (row) => row.shipped),
    numberColumn('short', say.count.short, (row) => row.short),
    numberColumn('delivered', say.count.delivered, (row) => row.delivered),
    numberColumn('undelivered', say.count.undelivered, (row) => row.undelivered),
    numberColumn('cancelled', say.count.cancelled, (row) => row.cancelled),
    numberColumn('due', say.count.due, (row) => row.due),
    column(
      'onTime',
      say.count.onTimeRate,
      (row) => (row.due === 0 ? '–' : formatPercent(row.on_time / row.due, language)),
      { align: 'right' },
    ),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title={title} flush actions={<ExportMenu question={question} list={name} />}>
      <DataTable
        bare
        name={name}
        label={title}
        columns={columns}
        list={plainRows(rows, (row) => row.key)}
        rowName={(row) => nameOf(row.key)}
        empty={null}
      />
    </Section>
  );
}
