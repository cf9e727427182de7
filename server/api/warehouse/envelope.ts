import { type Mistake, wordPath } from '../../platform/schema.ts';
import type { Answer } from '../contract.ts';
import type { Wording } from '../dialect.ts';
import { authenticationFailed, messageOf, type Problem } from '../problem.ts';
import type { Refusal } from '../refusal.ts';

/** The codes of the warehouse contract; they stand here and in the endpoints beside this file, nowhere else. */
const successCode = 'LST-TPW-2000';
const duplicateCode = 'LST-TPW-2001';
const invalidCode = 'PARAM_INVALID';

export function success(traceId: string, data: object): Answer {
  return { code: successCode, body: { code: successCode, trace_id: traceId, message: 'success', success: true, data } };
}

/** The document is known already: not an error, and its data is that of the original. */
export function duplicate(traceId: string, data: object): Answer {
  const message = 'duplicate document: the original was accepted';
  return { status: 400, code: duplicateCode, body: { code: duplicateCode, trace_id: traceId, message, success: false, data } };
}

export function refused(traceId: string, { message, mistakes }: Refusal): Answer {
  const data = { errors: wordMistakes(mistakes) };
  return { status: 400, code: invalidCode, body: { code: invalidCode, trace_id: traceId, message, success: false, data } };
}

export const wordWarehouseProblem: Wording = (problem, traceId) => {
  const code = codeOf(problem);
  // Here a caller is never told why.
  const message = problem.kind === 'unauthorized' ? authenticationFailed : messageOf(problem);
  return { code, body: { code, trace_id: traceId, message, success: false, data: dataOf(problem) } };
};

function codeOf(problem: Problem): string {
  switch (problem.kind) {
    case 'unauthorized':
      return 'LST-TPW-4001';
    case 'rate_limited':
      return 'LST-TPW-4290';
    case 'internal':
      return 'LST-TPW-5000';
    case 'not_enabled':
      return 'LST-TPW-5030';
    case 'overloaded':
    case 'database_unavailable':
      return 'LST-TPW-5031';
    default:
      return invalidCode;
  }
}

function dataOf(problem: Problem): object {
  return problem.kind === 'invalid' ? { errors: wordMistakes(problem.mistakes) } : {};
}

function wordMistakes(mistakes: Mistake[]): { path: string; message: string }[] {
  return mistakes.map(({ path, message }) => ({ path: wordPath(path), message }));
}
