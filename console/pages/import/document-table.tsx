import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ImportedDocument, ImportKind, ImportMistake } from '../../../contract/console/imports.ts';
import { csvByteOrderMark, csvLine } from '../../../server/platform/csv.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { saveFile } from '../../kit/save-file.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText, useFormatMessage } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { changeTexts } from './change-texts.ts';
import type { ImportTable } from './table.ts';
import { words } from './words.ts';

/** More than a person reads; the file of mistakes has all. */
const shownMax = 200;

interface PlacedMistake extends ImportMistake {
  id: string;
  name: string;
}

/** Every mistake with its row and column, and a file of the rows to correct. */
export function MistakeTable({ documents, table }: { documents: ImportedDocument[]; table: ImportTable }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const download = useMistakeFile(documents, table);
  const mistakes = documents.flatMap(({ name, mistakes: own }) =>
    own.map((one, index): PlacedMistake => ({ ...one, name, id: `${one.row}/${index}` })),
  );
  if (mistakes.length === 0) return null;
  const sorted = mistakes.toSorted((one, other) => one.row - other.row);
  return (
    <Section
      title={say.mistakes(formatNumber(mistakes.length))}
      flush
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={download}
        >
          {say.downloadMistakes}
        </Button>
      }
    >
      <DataTable
        bare
        name="import-mistakes"
        label={say.mistakesLabel}
        columns={[
          numberColumn<PlacedMistake>('row', say.row, ({ row }) => row, { alwaysShown: true, width: 80 }),
          column<PlacedMistake>('name', shared.noun.number, ({ name }) => name),
          column<PlacedMistake>('column', say.column, ({ column: title }) => title ?? '–'),
          column<PlacedMistake>('problem', say.problemColumn, ({ problem }) => <ServerText text={problem} />),
        ]}
        list={plainRows(sorted.slice(0, shownMax), ({ id }) => id)}
        rowName={({ row }) => formatNumber(row)}
        phoneRow={{ beside: 'column', below: ['name', 'problem'] }}
        empty={null}
      />
      {mistakes.length > shownMax && (
        <Text size="sm" p="md">
          {say.more(formatNumber(mistakes.length - shownMax))}
        </Text>
      )}
    </Section>
  );
}

/** The rows of documents with mistakes, with a column that says what is wrong. It can be corrected and imported. */
function useMistakeFile(documents: ImportedDocument[], { titles, rows }: ImportTable) {
  const say = useWords(words);
  const { language } = useLanguage();
  const format = useFormatMessage();
  return () => {
    const wrong = documents.filter(({ outcome }) => outcome === 'refused');
    const wanted = new Set(wrong.flatMap((one) => one.rows));
    const byRow = Map.groupBy(
      wrong.flatMap(({ mistakes }) => mistakes),
      ({ row }) => row,
    );
    const textOf = ({ column: title, problem }: ImportMistake) =>
      `${title === null ? '' : `${title}: `}${format?.(problem, language) ?? problem.code}`;
    const lines = rows
      .filter(({ row }) => wanted.has(row))
      .map(({ row, cells }) =>
        csvLine([...titles.map((_, index) => cells[index] ?? ''), (byRow.get(row) ?? []).map(textOf).join('; ')]),
      );
    const file = [csvByteOrderMark, csvLine([...titles, say.problemColumn]), ...lines];
    saveFile(new Blob(file, { type: 'text/csv' }), `${say.mistakesFile}.csv`);
  };
}

const tones: Record<ImportedDocument['outcome'], Tone> = {
  created: 'done',
  changed: 'active',
  known: 'todo',
  differs: 'stopped',
  refused: 'failed',
};

/** The documents of the file with their outcomes. */
export function DocumentTable({
  documents,
  kind,
  isDone,
}: {
  documents: ImportedDocument[];
  kind: ImportKind;
  isDone: boolean;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const names = isDone ? say.outcomeDone : say.outcome;
  const units = numberColumn<ImportedDocument>('units', shared.noun.quantity, (row) => row.units);
  const changes = column<ImportedDocument>('changes', say.changes, ({ change }) =>
    changeTexts(change, say).map((text) => <div key={text}>{text}</div>),
  );
  if (documents.length === 0) return null;
  return (
    <Section title={say.kind[kind]} flush>
      <DataTable
        bare
        name="import-documents"
        label={say.kind[kind]}
        columns={[
          idColumn<ImportedDocument>(
            'name',
            kind === 'products' ? shared.noun.sku : shared.noun.number,
            (row) => row.name,
            {
              alwaysShown: true,
            },
          ),
          column<ImportedDocument>('outcome', shared.noun.status, ({ outcome }) => (
            <StatusBadge tone={tones[outcome]}>{names[outcome]}</StatusBadge>
          )),
          column<ImportedDocument>('rows', say.rows, ({ rows }) => rowsText(rows)),
          kind === 'products' ? changes : units,
        ]}
        list={plainRows(documents.slice(0, shownMax), ({ name, rows }) => `${name}/${rows[0]}`)}
        rowName={({ name }) => name}
        phoneRow={{ beside: 'outcome', below: ['rows', kind === 'products' ? 'changes' : 'units'] }}
        empty={null}
      />
      {documents.length > shownMax && (
        <Text size="sm" p="md">
          {say.more(formatNumber(documents.length - shownMax))}
        </Text>
      )}
    </Section>
  );
}

const rowsShownMax = 6;

/** 2–4, 9 */
function rowsText(rows: number[]): string {
  const ranges: string[] = [];
  for (let index = 0; index < rows.length; ) {
    let end = index;
    while (rows[end + 1] === rows[end]! + 1) end += 1;
    ranges.push(end === index ? `${rows[index]}` : `${rows[index]}–${rows[end]}`);
    index = end + 1;
  }
  return ranges.length > rowsShownMax ? `${ranges.slice(0, rowsShownMax).join(', ')}…` : ranges.join(', ');
}
