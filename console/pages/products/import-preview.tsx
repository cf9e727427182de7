import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ImportedProduct, ProductImportAnswer } from '../../../contract/console/products.ts';
import { column, idColumn } from '../../kit/columns.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import classes from './products.module.css';
import { words } from './words.ts';

type Imported = Extract<ProductImportAnswer, { kind: 'imported' }>;
type Refused = Extract<ProductImportAnswer, { kind: 'refused' }>;

/** The mistakes of a file, by line. */
export function ImportMistakes({ mistakes, mistake_count }: Refused) {
  const say = useWords(words);
  const title = say.import.mistakes(formatNumber(mistake_count));
  return (
    <Section title={title}>
      <Stack gap="xs" role="alert">
        <Text size="sm">{say.import.nothingImported}</Text>
        <ul className={classes.mistakes}>
          {mistakes.map(({ line, problem }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same mistake twice, and the list is fixed.
            <li key={place}>
              <span className={classes.line}>{say.import.line(formatNumber(line))}</span>
              <ServerText text={problem} />
            </li>
          ))}
        </ul>
        {mistake_count > mistakes.length && (
          <Text size="sm">{say.import.more(formatNumber(mistake_count - mistakes.length))}</Text>
        )}
      </Stack>
    </Section>
  );
}

/** Lists the changes of a file by product. */
export function ImportPreview({
  answer,
  isDone,
  children,
}: {
  answer: Imported;
  isDone: boolean;
  children: ReactNode;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { rows, products, changes, changed_products, changed_codes, changed_locations } = answer;
  const counts = [rows, products, changed_codes, changed_locations].map(formatNumber);
  const [rowCount, productCount, codeCount, locationCount] = counts as [string, string, string, string];
  return (
    <Section title={isDone ? say.import.imported : say.import.preview} flush>
      <Stack gap="sm" p="md">
        <Text size="sm">{say.import.summary(rowCount, productCount, codeCount, locationCount)}</Text>
        {changed_products === 0 && <Text size="sm">{say.import.nothingNew}</Text>}
        <div>{children}</div>
      </Stack>
      {changes.length > 0 && (
        <DataTable
          bare
          name="product-import"
          label={say.import.preview}
          columns={[
            idColumn<ImportedProduct>('sku', shared.noun.sku, ({ sku_id }) => sku_id, { alwaysShown: true }),
            column<ImportedProduct>('codes', say.codes, (row) => <Changes texts={codeTexts(row, say)} />),
            column<ImportedProduct>('locations', say.locations, (row) => <Changes texts={locationTexts(row)} />),
          ]}
          list={plainRows(changes, ({ sku_id }) => sku_id)}
          rowName={({ sku_id }) => sku_id}
          empty={null}
        />
      )}
      {changed_products > changes.length && (
        <Text size="sm" p="md">
          {say.import.moreProducts(formatNumber(changed_products - changes.length))}
        </Text>
      )}
    </Section>
  );
}

function Changes({ texts }: { texts: string[] }) {
  return texts.map((text) => <div key={text}>{text}</div>);
}

type Say = Pick<(typeof words)['en'], 'oneUnit' | 'cartonOf'>;

function codeTexts({ codes }: ImportedProduct, say: Say): string[] {
  const unitsText = (units: number) => (units === 1 ? say.oneUnit : say.cartonOf(formatNumber(units)));
  return codes.map(({ code, units, before }) =>
    before === null ? `+ ${code} · ${unitsText(units)}` : `${code} · ${unitsText(before)} → ${unitsText(units)}`,
  );
}

function locationTexts({ locations }: ImportedProduct): string[] {
  return locations.map(({ warehouse_no, location, before }) =>
    before === null ? `+ ${warehouse_no}: ${location}` : `${warehouse_no}: ${before} → ${location}`,
  );
}
