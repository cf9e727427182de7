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
  const sent = seen().send();
  const response = await post(path, body, sent.text, signal);
  const answer: unknown = await response.json().catch((cause) => {
    if (signal?.aborted) throw cause;
    return null;
  });
  if (response.ok && answer !== null) seen().receive(response.headers.get('x-seen'), sent);
  else seen().doubt();
  if (response.status === 401) askSession.onSignedOut();
  if (!response.ok || answer === null) throw askErrorOf(response.status, answer);
  return answer as AnswerOf<Call>;
}

/** Asks for something that is not JSON, such as a file. Only a refusal is read. */
export async function askFor<Call extends ConsoleCall>(
  path: Call['path'],
  body: BodyOf<Call>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await post(path, body, seen().send().text, signal);
  if (response.status === 401) askSession.onSignedOut();
  if (!response.ok) throw askErrorOf(response.status, await response.json().catch(() => null));
  return response;
}

async function post(path: string, body: unknown, seenText: string, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (askSession.csrfToken !== null) headers['x-csrf-token'] = askSession.csrfToken;
  if (isAttended()) headers['x-attended'] = '1';
  if (seenText !== '') headers['x-seen'] = seenText;
  try {
    return await fetch(`${basePath}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    seen().doubt();
    throw new AskError({ kind: 'network', message: '', status: null, traceId: null, mistakes: [] });
  }
}
