import { Button, Checkbox, Paper, Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowUp, IconX } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { basePath } from './base-path.ts';
import { ColumnMenu, useHiddenColumns } from './column-menu.tsx';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import { type Selection, useRowKeys } from './row-keys.ts';
import { sharedWords } from './shared-words.ts';
import type { LiveList } from './use-live-list.ts';
import { words } from './words.ts';

export interface Column<Row> {
  key: string;
  title: string;
  cell(row: Row): ReactNode;
  /** A CSS width, for columns whose content is known. */
  width?: number | string;
  align?: 'left' | 'right';
  /** Hidden until one asks for it in the column menu. */
  hiddenAtFirst?: boolean;
  /** Cannot be hidden. */
  alwaysShown?: boolean;
}

/** What DataTable needs of a list; useLiveList gives it, and so does `plainRows` for rows that are simply there. */
export type TableRows<Row> = LiveList<Row>;

export interface DataTableProps<Row> {
  /** Under this name the choice of columns is kept in the browser. */
  name: string;
  /** What the table lists, for who cannot see it: "Orders". */
  label: string;
  columns: Column<Row>[];
  list: TableRows<Row>;
  /** The name of a row in words, for its checkbox: its number. */
  rowName(row: Row): string;
  /** The page of a row; the first cell becomes the link, and a click anywhere on the row opens it. */
  rowLink?(row: Row): string;
  /** An EmptyState. */
  empty: ReactNode;
  /** From useSelection(). With it come checkboxes. */
  selection?: Selection;
  /** Buttons for what is selected. */
  bulkActions?: ReactNode;
  /** Inside of a Section: no border, no choice of columns, no count. */
  bare?: boolean;
  /** At the left above the table. */
  toolbar?: ReactNode;
}

const cardsBelowPx = 640;
const skeletonRows = 8;

/** A list of anything: a table, and on a phone one card per row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, columns, list, empty, selection, bulkActions, toolbar, bare = false } = props;
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [hidden, setHidden] = useHiddenColumns(name, columns);
  const shown = columns.filter(({ key }) => !hidden.has(key));
  const hasSelection = selection !== undefined && selection.keys.size > 0;
  // Before it has been measured, the window tells: a phone must not show a table for a moment.
  const isNarrow = (width || window.innerWidth) < cardsBelowPx;

  return (
    <div ref={ref} className={classes.whole} data-stale={list.isStale || undefined} data-bulk={hasSelection || undefined}>
      {!bare && (
        <div className={classes.toolbar}>
          {hasSelection ? (
            <section className={classes.bulk} aria-label={say.bulkActions}>
              <strong role="status">{say.selected(formatNumber(selection.keys.size))}</strong>
              {bulkActions}
              <Button variant="subtle" color="gray" leftSection={<IconX size={15} aria-hidden />} onClick={selection.clear}>
                {say.clearSelection}
              </Button>
            </section>
          ) : (
            toolbar
          )}
          <div className={classes.live} aria-live="polite">
            {list.waiting && (
              <Button radius="xl" leftSection={<IconArrowUp size={14} />} onClick={list.showWaiting}>
                {list.waiting.newCount > 0 ? say.newRows(formatNumber(list.waiting.newCount)) : say.changedRows}
              </Button>
            )}
          </div>
          <ColumnMenu columns={columns} hidden={hidden} onChange={setHidden} />
        </div>
      )}
      <Paper className={classes.paper ?? ''} withBorder={!bare}>
        {list.error && list.rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.askAgain} />
        ) : list.isFirst ? (
          <TableSkeleton />
        ) : list.rows.length === 0 && list.hasMore ? (
          <SearchOn list={list} />
        ) : list.rows.length === 0 ? (
          empty
        ) : isNarrow ? (
          <Cards {...props} label={label} columns={shown} />
        ) : (
          <Rows {...props} label={label} columns={shown} />
        )}
      </Paper>
      {list.rows.length > 0 && !(bare && !list.hasMore) && (
        <div className={classes.foot}>
          <span>{list.hasMore ? say.someShown(formatNumber(list.rows.length)) : say.allShown(formatNumber(list.rows.length))}</span>
          {list.hasMore && (
            <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
              {shared.verb.loadMore}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** A page looks through so many rows at most; none of them may fit, and others follow. */
function SearchOn<Row>({ list }: { list: DataTableProps<Row>['list'] }) {
  const say = useWords(words);
  return (
    <EmptyState
      title={say.noneSoFar}
      hint={say.noneSoFarHint}
      action={
        <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {say.searchOn}
        </Button>
      }
    />
  );
}

function Rows<Row>({ label, columns, list, rowName, rowLink, selection }: DataTableProps<Row>) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const table = useRef<HTMLTableElement>(null);
  const [overflows, setOverflows] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = list.rows.map(list.keyOf);
  const [range, setRange] = useState<string | null>(null);
  useRowKeys(body, (key) => selection?.toggle(key));
  // A table that is too wide scrolls in its frame, and then its header cannot stay at the top of the window.
  useLayoutEffect(() => setOverflows(width > 0 && table.current !== null && table.current.offsetWidth > width + 1));

  const select = (key: string, withRange: boolean) => {
    if (withRange && range !== null && keys.includes(range)) selection?.toggleRange(keys, range, key);
    else selection?.toggle(key);
    setRange(key);
  };
  const openRow = (event: MouseEvent, row: Row) => {
    if (!rowLink || isOnControl(event) || window.getSelection()?.toString()) return;
    if (event.ctrlKey || event.metaKey) window.open(`${basePath}${rowLink(row)}`, '_blank', 'noopener');
    else void navigate(rowLink(row));
  };

  return (
    <div ref={frame} className={classes.frame} data-overflows={overflows || undefined}>
      <table ref={table} className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.check} scope="col">
                <SelectAll keys={keys} selection={selection} label={say.selectAll} />
              </th>
            )}
            {columns.map(({ key, title, width, align }) => (
              <th key={key} scope="col" style={{ width, textAlign: align }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {list.rows.map((row, place) => {
            const key = keys[place]!;
            const isSelected = selection?.keys.has(key) ?? false;
            return (
              <tr
                key={key}
                data-row-key={key}
                data-selected={isSelected || undefined}
                data-opens={rowLink !== undefined || undefined}
                tabIndex={rowLink ? undefined : -1}
                onClick={(event) => openRow(event, row)}
              >
                {selection && (
                  <td className={classes.check}>
                    <Checkbox
                      aria-label={say.selectRow(rowName(row))}
                      checked={isSelected}
                      onChange={(event) => select(key, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
                    />
                  </td>
                )}
                {columns.map((column, columnPlace) => (
                  <td key={column.key} style={{ textAlign: column.align }} data-right={column.align === 'right' || undefined}>
                    {columnPlace === 0 ? <FirstCell row={row} column={column} rowLink={rowLink} /> : column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row>({ label, columns, list, rowName, rowLink, selection }: DataTableProps<Row>) {
  const say = useWords(words);
  const items = useRef<HTMLUListElement>(null);
  useRowKeys(items, (key) => selection?.toggle(key));
  const [first, ...others] = columns;
  if (first === undefined) return null;
  return (
    <ul ref={items} className={classes.cards} aria-label={label}>
      {list.rows.map((row) => {
        const key = list.keyOf(row);
        return (
          <li key={key} data-row-key={key} className={classes.card} data-selected={selection?.keys.has(key) || undefined}>
            <div className={classes.cardHead}>
              <FirstCell row={row} column={first} rowLink={rowLink} />
              {selection && (
                <Checkbox
                  size="md"
                  aria-label={say.selectRow(rowName(row))}
                  checked={selection.keys.has(key)}
                  onChange={() => selection.toggle(key)}
                />
              )}
            </div>
            <dl className={classes.cardFacts}>
              {others.map((column) => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

function FirstCell<Row>({ row, column, rowLink }: { row: Row; column: Column<Row>; rowLink: ((row: Row) => string) | undefined }) {
  if (!rowLink) return column.cell(row);
  return (
    <Link to={rowLink(row)} data-row-link className={classes.link ?? ''}>
      {column.cell(row)}
    </Link>
  );
}

function SelectAll({ keys, selection, label }: { keys: string[]; selection: Selection; label: string }) {
  const count = keys.filter((key) => selection.keys.has(key)).length;
  return (
    <Checkbox
      aria-label={label}
      checked={count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={() => selection.setAll(keys, count < keys.length)}
    />
  );
}

function TableSkeleton() {
  return (
    <div className={classes.skeleton} aria-busy="true">
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <Skeleton key={row} height={14} />
      ))}
    </div>
  );
}

function isOnControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest('a, button, input, label, [role=button]') !== null;
}
