import { type Mistake, wordPath } from '../platform/schema.ts';
import type { Answer } from './contract.ts';
import type { Wording } from './dialect.ts';
import { messageOf, type Problem, wordMistakes } from './problem.ts';

/** `{done, msg, retval}`: the envelope of the main API and of the logistics webhook. */
export function done(retval: object): Answer {
  return { body: { done: true, msg: 'success', retval } };
}

/** Nothing was done, and why. */
export function notDone(msg: string, status: number): Answer {
  return { status, body: { done: false, msg, retval: null } };
}

/** In the main API an error has no `retval`, so the message says as much as a person can take in. */
const mistakesWordedMax = 5;

export const wordMainProblem: Wording = (problem) => ({
  body: {
    done: false,
    msg: problem.kind === 'invalid' ? wordMistakes(problem.mistakes, mistakesWordedMax) : messageOf(problem),
    retval: null,
  },
  ...headersOf(challengeOf(problem)),
});

/** The challenge of RFC 6750, section 3, where a request is refused because of its token. */
function challengeOf(problem: Problem): string | null {
  if (problem.kind === 'forbidden') return `Bearer error="insufficient_scope", scope="${problem.permission}"`;
  if (problem.kind !== 'unauthorized') return null;
  return problem.hasNoCredentials ? 'Bearer realm="lading"' : 'Bearer error="invalid_token"';
}

function headersOf(challenge: string | null): { headers?: Record<string, string> } {
  return challenge === null ? {} : { headers: { 'www-authenticate': challenge } };
}

export const wordLogisticsProblem: Wording = (problem) => ({
  body: { done: false, msg: messageOf(problem), retval: problem.kind === 'invalid' ? errorsOf(problem.mistakes) : null },
});

/** The business says no, and to which fields: as the logistics webhook words it. */
export function refusedForm(msg: string, mistakes: Mistake[]): Answer {
  return { status: 400, body: { done: false, msg, retval: errorsOf(mistakes) } };
}

function errorsOf(mistakes: Mistake[]): { errors: { path: string; message: string }[] } {
  return { errors: mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) };
}
