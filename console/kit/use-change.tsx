import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';
import { announceOwnChange } from './live.ts';
import { useNotices } from './notices.tsx';

export interface UseChangeOptions<Call extends ConsoleCall> {
  /** Gets the response, which may be a rejection. It notifies the operator and closes the dialog. */
  onAnswer?(answer: AnswerOf<Call>, body: BodyOf<Call>): void;
  /** Replaces the default notice with the trace id. */
  onError?(error: AskError): void;
}

export interface Change<Call extends ConsoleCall> {
  /** Resolves to undefined if the request failed; the operator has been notified. */
  run(body: BodyOf<Call>): Promise<AnswerOf<Call> | undefined>;
  isRunning: boolean;
}

/** An action of the operator. It is sent once and never retried. The page's data is refreshed afterwards. */
export function useChange<Call extends ConsoleCall>(
  path: Call['path'],
  options: UseChangeOptions<Call> = {},
): Change<Call> {
  const client = useQueryClient();
  const notices = useNotices();
  const mutation = useMutation<AnswerOf<Call>, AskError, BodyOf<Call>>({ mutationFn: (body) => ask<Call>(path, body) });
  const run = async (body: BodyOf<Call>) => {
    try {
      const answer = await mutation.mutateAsync(body);
      options.onAnswer?.(answer, body);
      return answer;
    } catch (error) {
      if (options.onError) options.onError(error as AskError);
      else notices.failed(error as AskError);
      return undefined;
    } finally {
      void client.invalidateQueries({ queryKey: ['ask'] });
      announceOwnChange();
    }
  };
  return { run, isRunning: mutation.isPending };
}
