import { errorMessage } from '../../messages/errors.ts';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import type { Mistake } from '../platform/json/schema.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EnvelopeFormat, FormatProblem } from './envelope.ts';
import { mistakesIn } from './error-list.ts';
import { describeMistakes, messageOf, type Problem } from './problem.ts';

/** `{done, msg, retval}`: the envelope of the main API and of the logistics webhook. */
export function done(retval: object): EndpointResponse {
  return { body: { done: true, msg: 'success', retval } };
}

/**
 * The operation was not performed; `msg` gives the reason. `mistakes` is needed if the reason does not name the fields
 * that it is about.
 */
export function notDone(
  reason: Message,
  status: number,
  mistakes: Mistake[] = mistakesIn(reason),
): EndpointResponse & { reason: Message } {
  return { status, body: bodyOf(reason), reason, mistakes };
}

/** A rejection about a field that its message does not name at the beginning. */
export function notDoneAt(path: Mistake['path'], reason: Message, status: number): EndpointResponse {
  return notDone(reason, status, [{ path, message: reason }]);
}

function bodyOf(reason: Message): object {
  return { done: false, msg: formatMessage(reason), retval: null };
}

/** The message lists several mistakes, but not more than a person can read. */
const mistakesFormattedMax = 5;

const formatMainProblem: FormatProblem = (problem) => {
  const message =
    problem.kind === 'invalid' ? describeMistakes(problem.mistakes, mistakesFormattedMax) : messageOf(problem);
  return { body: bodyOf(message), message, ...headersOf(challengeOf(problem)) };
};

export const mainFormat = {
  formatProblem: formatMainProblem,
  lists: { errors: 'body', warnings: 'retval' },
} as const satisfies EnvelopeFormat;

/** The challenge of RFC 6750, section 3, for a request that is rejected because of its token. */
function challengeOf(problem: Problem): string | null {
  if (problem.kind === 'forbidden') return `Bearer error="insufficient_scope", scope="${problem.permission}"`;
  if (problem.kind !== 'unauthorized') return null;
  return problem.hasNoCredentials ? 'Bearer realm="lading"' : 'Bearer error="invalid_token"';
}

function headersOf(challenge: string | null): { headers?: Record<string, string> } {
  return challenge === null ? {} : { headers: { 'www-authenticate': challenge } };
}

const formatLogisticsProblem: FormatProblem = (problem) => {
  const isPlain = problem.kind === 'unauthorized' && problem.callerMessage === undefined;
  const message = isPlain ? errorMessage('authentication_failed_logistics') : messageOf(problem);
  return { body: bodyOf(message), message };
};

export const logisticsFormat = {
  formatProblem: formatLogisticsProblem,
  lists: { errors: 'retval', warnings: 'retval' },
} as const satisfies EnvelopeFormat;
