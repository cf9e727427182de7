import { wordPath } from '../platform/schema.ts';
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
  ...(problem.kind === 'unauthorized' ? { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } } : {}),
});

export const wordLogisticsProblem: Wording = (problem) => ({
  body: { done: false, msg: messageOf(problem), retval: errorsOf(problem) },
});

function errorsOf(problem: Problem): object | null {
  if (problem.kind !== 'invalid') return null;
  return { errors: problem.mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) };
}
