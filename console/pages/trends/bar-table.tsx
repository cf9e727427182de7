import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../kit/number.ts';
import classes from './trends.module.css';

export interface BarRow {
  key: string;
  name: ReactNode;
  /** One value for each column; the first one is the longer part of the bar. */
  values: number[];
  isAlarming?: boolean;
}

interface BarTableProps {
  label: string;
  firstColumn: string;
  /** The names of the values. */
  columns: string[];
  rows: BarRow[];
}

/** Numbers with a bar for each row: a chart and a table in one. */
export function BarTable({ label, firstColumn, columns, rows }: BarTableProps) {
  const most = Math.max(1, ...rows.map(({ values }) => totalOf(values)));
  return (
    <Table aria-label={label} className={classes.bars ?? ''} verticalSpacing={5}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{firstColumn}</Table.Th>
          {columns.map((name) => (
            <Table.Th key={name} className={classes.number ?? ''}>
              {name}
            </Table.Th>
          ))}
          <Table.Td aria-hidden="true" className={classes.wide ?? ''} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, name, values, isAlarming }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row">{name}</Table.Th>
            {values.map((value, place) => (
              <Table.Td key={columns[place]} className={classes.number ?? ''}>
                {formatNumber(value)}
              </Table.Td>
            ))}
            <Table.Td aria-hidden="true">
              <span className={classes.bar} data-alarming={(isAlarming && totalOf(values) > 0) || undefined}>
                {values.map((value, place) => (
                  <span key={columns[place]} style={{ width: `${(100 * value) / most}%` }} />
                ))}
              </span>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <VisuallyHidden component="caption">{label}</VisuallyHidden>
    </Table>
  );
}

function totalOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
