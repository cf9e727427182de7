import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import classes from './data-table.module.css';
import { useWords } from './language.tsx';
import { words } from './words.ts';

/** The order of the rows, which an index of the database has. */
export interface TableSort {
  /** '' is the order of the list itself. */
  by: string;
  reversed: boolean;
  choose(by: string, reversed: boolean): void;
}

/** The sort that a click on the title of a column chooses; the second click reverses it. */
export interface ColumnSort {
  by: string;
  first: 'ascending' | 'descending';
}

interface ColumnHeadProps {
  column: { title: string; width?: number | string; align?: 'left' | 'right'; sort?: ColumnSort };
  sort: TableSort | undefined;
}

/** The title of a column. If the rows can be sorted by it, a click does, the next one reverses, and a third ends that. */
export function ColumnHead({ column, sort }: ColumnHeadProps) {
  const say = useWords(words);
  const { title, width, align, sort: own } = column;
  const style = { width, textAlign: align };
  if (!own || !sort)
    return (
      <th scope="col" style={style}>
        {title}
      </th>
    );
  const isSorted = sort.by === own.by;
  const isUp = (own.first === 'ascending') !== sort.reversed;
  const Sign = !isSorted ? IconArrowsSort : isUp ? IconArrowUp : IconArrowDown;
  const choose = () => {
    if (!isSorted) sort.choose(own.by, false);
    else if (sort.reversed) sort.choose('', false);
    else sort.choose(own.by, true);
  };
  return (
    <th scope="col" style={style} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton className={classes.sort ?? ''} aria-label={say.sortBy(title)} onClick={choose}>
        {title}
        <Sign size={12} aria-hidden data-idle={!isSorted || undefined} />
      </UnstyledButton>
    </th>
  );
}
