import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import type { LiveTopic } from '../../contract/console/live.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';
import { useLive } from './live.ts';

export interface UseAskOptions {
  /** While false, nothing is requested. */
  enabled?: boolean;
  /** A change of one of these topics repeats the request. */
  topics?: LiveTopic[];
  /**
   * Shows the previous response while a new body is requested. For charts and filters only: a detail page would show
   * another document.
   */
  keepPrevious?: boolean;
  /** Repeats the request at this interval as well. */
  everyMs?: number;
}

export interface Asked<Answer> {
  answer: Answer | undefined;
  error: AskError | null;
  /** The first response has not arrived yet. */
  isFirst: boolean;
  isAsking: boolean;
  askAgain(): void;
}

/** Requests data for a page and keeps showing it while it is refreshed. */
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
