import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import type { Mistake } from '../platform/json/schema.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { FormatProblem } from './envelope.ts';
import { describeMistakes, formatMistakes, messageOf, type Problem } from './problem.ts';

/** `{done, msg, retval}`: the envelope of the main API and of the logistics webhook. */
export function done(retval: object): EndpointResponse {
  return { body: { done: true, msg: 'success', retval } };
}

/** The operation was not performed; `msg` gives the reason. */
export function notDone(reason: Message, status: number): EndpointResponse {
  return { status, body: { done: false, msg: formatMessage(reason), retval: null }, reason };
}

/**
 * An error of the main API has no `retval`, so the message lists several mistakes, but not more than a person can read.
 */
const mistakesFormattedMax = 5;

export const formatMainProblem: FormatProblem = (problem) => ({
  body: {
    done: false,
    msg: formatMessage(
      problem.kind === 'invalid' ? describeMistakes(problem.mistakes, mistakesFormattedMax) : messageOf(problem),
    ),
    retval: null,
  },
  ...headersOf(challengeOf(problem)),
});

/** The challenge of RFC 6750, section 3, for a request that is rejected because of its token. */
function challengeOf(problem: Problem): string | null {
  if (problem.kind === 'forbidden') return `Bearer error="insufficient_scope", scope="${problem.permission}"`;
  if (problem.kind !== 'unauthorized') return null;
  return problem.hasNoCredentials ? 'Bearer realm="lading"' : 'Bearer error="invalid_token"';
}

function headersOf(challenge: string | null): { headers?: Record<string, string> } {
  return challenge === null ? {} : { headers: { 'www-authenticate': challenge } };
}

export const formatLogisticsProblem: FormatProblem = (problem) => ({
  body: {
    done: false,
    msg: formatMessage(messageOf(problem)),
    retval: problem.kind === 'invalid' ? errorsOf(problem.mistakes) : null,
  },
});

/** A rejection of the logistics webhook by a business rule, with the fields that it is about. */
export function rejectedForm(reason: Message, mistakes: Mistake[]): EndpointResponse {
  return { status: 400, body: { done: false, msg: formatMessage(reason), retval: errorsOf(mistakes) }, reason };
}

function errorsOf(mistakes: Mistake[]): { errors: { path: string; message: string }[] } {
  return { errors: formatMistakes(mistakes) };
}
