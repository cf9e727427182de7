import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import type { ListPage } from '../../contract/console/console-values.ts';
import type { LiveTopic } from '../../contract/console/live.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';
import { useLive } from './live.ts';
import { mergeFirstPage } from './merge-first-page.ts';

interface ListAnswer<Row> {
  rows: Row[];
  next_cursor: string | null;
  counts?: ListCounts;
}

export type ListCounts = NonNullable<ListPage<unknown>['counts']>;

export type RowOf<Call extends ConsoleCall> = AnswerOf<Call> extends { rows: (infer Row)[] } ? Row : never;

export interface UseLiveListOptions<Call extends ConsoleCall> {
  path: Call['path'];
  /** The filters, without `cursor`. */
  body: Omit<BodyOf<Call>, 'cursor'>;
  keyOf(row: RowOf<Call>): string;
  topics: LiveTopic[];
  /** The first page also brings the number of rows, in total and by tab. */
  counted?: boolean;
}

export interface LiveList<Row> {
  rows: Row[];
  keyOf(row: Row): string;
  /** The call that lists the rows, with its filters; null: the rows are not from a list of the server. */
  question: { path: string; body: object } | null;
  error: AskError | null;
  isFirst: boolean;
  /** New filters are being requested; the rows are still those of the previous filters. */
  isStale: boolean;
  /** null: the list does not count its rows. */
  counts: ListCounts | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  askAgain(): void;
  /** Changes that are not shown yet; null if there are none. */
  waiting: { newCount: number } | null;
  showWaiting(): void;
}

/** A cursor-based list that updates rows in place. New and moved rows only appear on request. */
export function useLiveList<Call extends ConsoleCall>({
  path,
  body,
  keyOf,
  topics,
  counted = false,
}: UseLiveListOptions<Call>): LiveList<RowOf<Call>> {
  type Page = ListAnswer<RowOf<Call>>;
  type Data = InfiniteData<Page, string | null>;
  const client = useQueryClient();
  const queryKey = ['list', path, body];
  const askPage = (cursor: string | null, signal?: AbortSignal) =>
    ask<Call>(path, { ...body, ...partOf(cursor, counted) } as BodyOf<Call>, signal) as Promise<Page>;
  const query = useInfiniteQuery<Page, AskError, Data, typeof queryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => askPage(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const keyText = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState<{ keyText: string; newCount: number; page: Page } | null>(null);

  const lookAgain = useEffectEvent(async () => {
    if (client.getQueryData<Data>(queryKey) === undefined || query.isFetching) return;
    const page = await askPage(null).catch(() => null);
    const shown = client.getQueryData<Data>(queryKey);
    if (page === null || shown === undefined) return;
    const { pages, newCount, hasMoved } = updatePages(shown.pages, page, keyOf);
    client.setQueryData<Data>(queryKey, { pages, pageParams: shown.pageParams.slice(0, pages.length) });
    setWaiting(hasMoved ? { keyText, newCount, page } : null);
  });
  useLive(topics, () => void lookAgain());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cached list is refreshed when it is shown again.
  useEffect(() => void lookAgain(), [keyText]);

  const current = waiting?.keyText === keyText ? waiting : null;
  return {
    rows: query.data?.pages.flatMap((page) => page.rows) ?? [],
    keyOf,
    question: { path, body },
    error: query.error,
    isFirst: query.isPending,
    isStale: query.isPlaceholderData,
    counts: query.data?.pages[0]?.counts ?? null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    askAgain: () => void query.refetch(),
    waiting: current && { newCount: current.newCount },
    showWaiting: () => {
      if (current) client.setQueryData<Data>(queryKey, { pages: [current.page], pageParams: [null] });
      setWaiting(null);
      window.scrollTo({ top: 0 });
    },
  };
}

/** Only the first page brings counts. */
function partOf(cursor: string | null, counted: boolean) {
  if (cursor !== null) return { cursor };
  return counted ? { counted } : {};
}

/** Updates the shown rows from a new first page. Rows that are new or moved wait, unless nothing is shown. */
function updatePages<Row>(shown: ListAnswer<Row>[], page: ListAnswer<Row>, keyOf: (row: Row) => string) {
  const shownRows = shown.flatMap((one) => one.rows);
  if (shownRows.length === 0) return { pages: [page], newCount: 0, hasMoved: false };
  const { rows, ...moves } = mergeFirstPage(shownRows, { rows: page.rows, isLast: page.next_cursor === null }, keyOf);
  const [first, ...others] = cutAsBefore(rows, shown);
  return { pages: [{ ...first!, ...(page.counts && { counts: page.counts }) }, ...others], ...moves };
}

/** Splits rows into pages of the same lengths as before. */
function cutAsBefore<Row>(rows: Row[], pages: ListAnswer<Row>[]): ListAnswer<Row>[] {
  let start = 0;
  return pages.map((page) => {
    const end = start + page.rows.length;
    const cut = { ...page, rows: rows.slice(start, end) };
    start = end;
    return cut;
  });
}
