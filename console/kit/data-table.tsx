import { Button, Checkbox, Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowUp, IconX } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { basePath } from './base-path.ts';
import { ColumnHead, type ColumnSort, type TableSort } from './column-head.tsx';
import { ColumnMenu, useHiddenColumns } from './column-menu.tsx';
import { CompactSwitch, useCompactRows } from './compact-rows.tsx';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useWords } from './language.tsx';
import { ListFoot } from './list-foot.tsx';
import { formatNumber } from './number.ts';
import { type Selection, useRowKeys } from './row-keys.ts';
import type { LiveList } from './use-live-list.ts';
import { words } from './words.ts';

export interface Column<Row> {
  key: string;
  title: string;
  cell(row: Row): ReactNode;
  /** A CSS width, for columns with content of a known length. */
  width?: number | string;
  align?: 'left' | 'right';
  /** Hidden until the operator selects it in the column menu. */
  hiddenAtFirst?: boolean;
  /** Cannot be hidden. */
  alwaysShown?: boolean;
  /** The sort that a click on the title chooses; the second click reverses it. */
  sort?: ColumnSort;
}

/** The rows of a DataTable, from `useLiveList` or `plainRows`. */
export type TableRows<Row> = LiveList<Row>;

export interface DataTableProps<Row> {
  /** The choice of columns is stored in the browser under this name. */
  name: string;
  /** The accessible name of the table: "Orders". */
  label: string;
  columns: Column<Row>[];
  list: TableRows<Row>;
  /** The accessible name of the row's checkbox, such as the document number. */
  rowName(row: Row): string;
  /** The page of a row. The first cell becomes a link, and a click anywhere on the row opens it. */
  rowLink?(row: Row): string;
  /** Shown instead of the table when there are no rows: an EmptyState. */
  empty: ReactNode;
  /** From useSelection(). Adds checkboxes. */
  selection?: Selection;
  /** Buttons for the selected rows. */
  bulkActions?: ReactNode;
  /**
   * The columns of a row with two lines, by their keys: beside the first column, and below it. Phones show it instead of
   * a card with all columns.
   */
  phoneRow?: { beside: string; below: string[] };
  /** For a table inside a Section: no border, no column menu, no row count. */
  bare?: boolean;
  /** Shown above the table on the left. */
  toolbar?: ReactNode;
  sort?: TableSort;
}

const cardsBelowPx = 640;
const skeletonRows = 8;

/** Shows rows as a table; on a phone, as rows with two lines or as cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, columns, list, empty, selection, bare = false } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [hidden, setHidden] = useHiddenColumns(name, columns);
  const shown = columns.filter(({ key }) => !hidden.has(key));
  const [isCompact, setCompact] = useCompactRows();
  const hasSelection = selection !== undefined && selection.keys.size > 0;
  // Until the element is measured, use the window's width: a phone must not flash a table.
  const isNarrow = (width || window.innerWidth) < cardsBelowPx;

  return (
    <div
      ref={ref}
      className={classes.whole}
      data-stale={list.isStale || undefined}
      data-bulk={hasSelection || undefined}
      data-compact={isCompact || undefined}
      data-two-lines={(isNarrow && props.phoneRow !== undefined && !hasSelection) || undefined}
    >
      {!bare && (
        <Toolbar {...props}>
          <ExportMenu question={list.question} />
          {/* The two lines of a phone have columns of their own. */}
          <CompactSwitch isCompact={isCompact} onChange={setCompact} />
          {!(isNarrow && props.phoneRow) && <ColumnMenu columns={columns} hidden={hidden} onChange={setHidden} />}
        </Toolbar>
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
      {list.rows.length > 0 && !(bare && !list.hasMore) && <ListFoot list={list} />}
    </div>
  );
}

function Toolbar<Row>({
  list,
  selection,
  bulkActions,
  toolbar,
  children,
}: DataTableProps<Row> & { children: ReactNode }) {
  const say = useWords(words);
  return (
    <div className={classes.toolbar}>
      {selection !== undefined && selection.keys.size > 0 ? (
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
      {children}
    </div>
  );
}

/** The server examines a limited number of rows per page. If none of them match, the operator can search further. */
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

function Rows<Row>({ label, columns, list, rowName, rowLink, selection, sort }: DataTableProps<Row>) {
  const say = useWords(words);
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const table = useRef<HTMLTableElement>(null);
  const [overflows, setOverflows] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = list.rows.map(list.keyOf);
  const [range, setRange] = useState<string | null>(null);
  useRowKeys(body, (key) => selection?.toggle(key));
  // A table that is too wide scrolls inside its frame, so its header cannot stick to the top of the window.
  useLayoutEffect(() => setOverflows(width > 0 && table.current !== null && table.current.offsetWidth > width + 1));

  const select = (key: string, withRange: boolean) => {
    if (withRange && range !== null && keys.includes(range)) selection?.toggleRange(keys, range, key);
    else selection?.toggle(key);
    setRange(key);
  };
  const openRow = useOpenRow(rowLink);

  return (
    <div ref={frame} className={classes.frame} data-overflows={overflows || undefined}>
      <table ref={table} className={classes.table} aria-label={label}>
        <TableHead columns={columns} keys={keys} selection={selection} sort={sort} />
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
                  <td
                    key={column.key}
                    style={{ textAlign: column.align }}
                    data-right={column.align === 'right' || undefined}
                  >
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

function useOpenRow<Row>(rowLink: DataTableProps<Row>['rowLink']) {
  const navigate = useNavigate();
  return (event: MouseEvent, row: Row) => {
    if (!rowLink || isOnControl(event) || window.getSelection()?.toString()) return;
    if (event.ctrlKey || event.metaKey) window.open(`${basePath}${rowLink(row)}`, '_blank', 'noopener');
    else void navigate(rowLink(row));
  };
}

function TableHead<Row>({
  columns,
  keys,
  selection,
  sort,
}: {
  columns: Column<Row>[];
  keys: string[];
  selection: Selection | undefined;
  sort: TableSort | undefined;
}) {
  const say = useWords(words);
  return (
    <thead>
      <tr>
        {selection && (
          <th className={classes.check} scope="col">
            <SelectAll keys={keys} selection={selection} label={say.selectAll} />
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.key} column={column} sort={sort} />
        ))}
      </tr>
    </thead>
  );
}

function Cards<Row>({ label, columns, list, rowName, rowLink, selection, phoneRow }: DataTableProps<Row>) {
  const say = useWords(words);
  const items = useRef<HTMLUListElement>(null);
  useRowKeys(items, (key) => selection?.toggle(key));
  const [first, ...others] = columns;
  if (first === undefined) return null;
  const beside = others.find(({ key }) => key === phoneRow?.beside);
  return (
    <ul ref={items} className={classes.cards} aria-label={label}>
      {list.rows.map((row) => {
        const key = list.keyOf(row);
        return (
          <li
            key={key}
            data-row-key={key}
            className={classes.card}
            data-selected={selection?.keys.has(key) || undefined}
          >
            <div className={classes.cardHead}>
              <FirstCell row={row} column={first} rowLink={rowLink} />
              {beside && <span className={classes.beside}>{beside.cell(row)}</span>}
              {selection && (
                <Checkbox
                  size="md"
                  aria-label={say.selectRow(rowName(row))}
                  checked={selection.keys.has(key)}
                  onChange={() => selection.toggle(key)}
                />
              )}
            </div>
            {phoneRow ? (
              <SecondLine row={row} columns={others.filter(({ key }) => phoneRow.below.includes(key))} />
            ) : (
              <CardFacts row={row} columns={others} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function CardFacts<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  return (
    <dl className={classes.cardFacts}>
      {columns.map((column) => (
        <div key={column.key}>
          <dt>{column.title}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A number needs its title; that of any other value is for screen readers only. */
function SecondLine<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  return (
    <div className={classes.below}>
      {columns.map((column) => {
        const cell = column.cell(row);
        if (cell === null) return null;
        return (
          <span key={column.key}>
            {column.align === 'right' ? `${column.title} ` : <VisuallyHidden>{column.title}: </VisuallyHidden>}
            <span>{cell}</span>
          </span>
        );
      })}
    </div>
  );
}

function FirstCell<Row>({
  row,
  column,
  rowLink,
}: {
  row: Row;
  column: Column<Row>;
  rowLink: ((row: Row) => string) | undefined;
}) {
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
