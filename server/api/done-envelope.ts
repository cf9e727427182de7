import { type Mistake, wordPath } from '../platform/schema.ts';
import type { Answer } from './contract.ts';
import type { Wording } from './dialect.ts';
import { messageOf, wordMistakes } from './problem.ts';

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
  body: { done: false, msg: messageOf(problem), retval: problem.kind === 'invalid' ? errorsOf(problem.mistakes) : null },
});

/** The business says no, and to which fields: as the logistics webhook words it. */
export function refusedForm(msg: string, mistakes: Mistake[]): Answer {
  return { status: 400, body: { done: false, msg, retval: errorsOf(mistakes) } };
}

function errorsOf(mistakes: Mistake[]): { errors: { path: string; message: string }[] } {
  return { errors: mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) };
}
