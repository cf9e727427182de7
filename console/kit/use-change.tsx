import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { ask } from './ask.ts';
import type { AskError } from './ask-error.ts';
import { announceOwnChange } from './live.ts';
import { useNotices } from './notices.tsx';

export interface UseChangeOptions<Call extends ConsoleCall> {
  /** Given the answer, which may be a refusal: words it, closes the dialogue. */
  onAnswer?(answer: AnswerOf<Call>, body: BodyOf<Call>): void;
  /** Called instead of the notice with the trace id. */
  onError?(error: AskError): void;
}

export interface Change<Call extends ConsoleCall> {
  /** undefined when it failed, which the person has then been told. */
  run(body: BodyOf<Call>): Promise<AnswerOf<Call> | undefined>;
  isRunning: boolean;
}

/** Something a person does: asked once, never repeated by itself; what is on the page is asked for anew afterwards. */
export function useChange<Call extends ConsoleCall>(path: Call['path'], options: UseChangeOptions<Call> = {}): Change<Call> {
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
