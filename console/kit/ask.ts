import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { AskError, askErrorOf } from './ask-error.ts';
import { isAttended } from './attended.ts';
import { basePath } from './base-path.ts';
import { seen } from './seen.ts';

/** `session.tsx` sets the CSRF token to send with each request, and the callback for a lost session. */
export const askSession = {
  csrfToken: null as string | null,
  onSignedOut: () => {},
};

/** Calls the console's API: `ask<typeof ordersSearch>('/orders/search', { … })`. */
export async function ask<Call extends ConsoleCall>(
  path: Call['path'],
  body: BodyOf<Call>,
  signal?: AbortSignal,
): Promise<AnswerOf<Call>> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (askSession.csrfToken !== null) headers['x-csrf-token'] = askSession.csrfToken;
  if (isAttended()) headers['x-attended'] = '1';
  const sent = seen().send();
  if (sent.text !== '') headers['x-seen'] = sent.text;

  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${basePath}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
    answer = await response.json().catch(() => null);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    seen().doubt();
    throw new AskError({ kind: 'network', message: '', status: null, traceId: null, mistakes: [] });
  }
  if (response.ok && answer !== null) seen().receive(response.headers.get('x-seen'), sent);
  else seen().doubt();
  if (response.status === 401) askSession.onSignedOut();
  if (!response.ok || answer === null) throw askErrorOf(response.status, answer);
  return answer as AnswerOf<Call>;
}
