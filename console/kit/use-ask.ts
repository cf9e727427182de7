import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';
import { type LiveTopic, useLive } from './live.ts';

export interface UseAskOptions {
  /** false: not asked until it is true. */
  enabled?: boolean;
  /** Asked anew when one of these changes. */
  topics?: LiveTopic[];
  /** Goes on showing the answer to the body before: for charts and filters, never for the page of one thing, where it would be another thing's. */
  keepPrevious?: boolean;
  /** Asked anew this often as well. */
  everyMs?: number;
}

export interface Asked<Answer> {
  /** The latest. */
  answer: Answer | undefined;
  error: AskError | null;
  /** Nothing to show yet. */
  isFirst: boolean;
  isAsking: boolean;
  askAgain(): void;
}

/** What a page shows: asked by path and body, and kept while it is asked for anew. */
export function useAsk<Call extends ConsoleCall>(
  path: Call['path'],
  body: BodyOf<Call>,
  options: UseAskOptions = {},
): Asked<AnswerOf<Call>> {
  const { enabled = true, topics = [], everyMs, keepPrevious = false } = options;
  const client = useQueryClient();
  const query = useQuery<AnswerOf<Call>, AskError>({
    queryKey: ['ask', path, body],
    queryFn: ({ signal }) => ask<Call>(path, body, signal),
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
    refetchInterval: everyMs ?? false,
  });
  useLive(topics, () => void client.invalidateQueries({ queryKey: ['ask', path, body] }));
  return {
    answer: query.data,
    error: query.error,
    isFirst: query.isPending && query.fetchStatus !== 'idle',
    isAsking: query.isFetching,
    askAgain: () => void query.refetch(),
  };
}
