import { SegmentedControl, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Chart } from '../../kit/chart.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import type { PlotSeries } from '../../kit/plot.tsx';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import classes from './trends.module.css';
import { words } from './words.ts';

interface TrendSectionProps {
  title: string;
  days: string[];
  series: PlotSeries[];
  format?: (value: number) => string;
  /** Shown below. */
  children?: ReactNode;
}

const heightPx = 200;

/** Values by day as a chart, or the same as a table with the newest day first. */
export function TrendSection({ title, days, series, format = formatNumber, children }: TrendSectionProps) {
  const say = useWords(words);
  const [isTable, setTable] = useState(false);
  return (
    <Section
      title={title}
      flush={isTable}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={say.showAs(title)}
          value={isTable ? 'table' : 'chart'}
          onChange={(view) => setTable(view === 'table')}
          data={[
            { value: 'chart', label: say.chart },
            { value: 'table', label: say.table },
          ]}
        />
      }
    >
      {isTable ? (
        <DayTable title={title} days={days} series={series} format={format} />
      ) : (
        <>
          <Chart
            isByDay
            hasCursor
            label={title}
            at={days.map((day) => `${day}T00:00:00+08:00`)}
            heightPx={heightPx}
            series={series}
            format={format}
          />
          {children}
        </>
      )}
    </Section>
  );
}

function DayTable({ title, days, series, format }: Required<Omit<TrendSectionProps, 'children'>>) {
  const shared = useWords(sharedWords);
  const rows = days.map((day, place) => ({ day, place })).toReversed();
  return (
    <Table.ScrollContainer minWidth={0} maxHeight={heightPx + 60}>
      <Table aria-label={title} stickyHeader verticalSpacing={4} className={classes.days ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{shared.noun.day}</Table.Th>
            {series.map((one) => (
              <Table.Th key={one.name}>{one.name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ day, place }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">{day}</Table.Th>
              {series.map((one) => (
                <Table.Td key={one.name}>{textOf(one.values[place], format)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '–' : format(value);
}
