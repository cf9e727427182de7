import { wordPath } from '../../platform/schema.ts';
import type { Answer } from '../contract.ts';
import type { Wording } from '../dialect.ts';
import { messageOf, type Problem } from '../problem.ts';

/** The codes of the warehouse contract; they stand here and in the endpoints beside this file, nowhere else. */
const successCode = 'LST-TPW-2000';
const invalidCode = 'PARAM_INVALID';

export function success(traceId: string, data: object): Answer {
  return { code: successCode, body: { code: successCode, trace_id: traceId, message: 'success', success: true, data } };
}

export const wordWarehouseProblem: Wording = (problem, traceId) => {
  const code = codeOf(problem);
  return { code, body: { code, trace_id: traceId, message: messageOf(problem), success: false, data: dataOf(problem) } };
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
  return problem.kind === 'invalid' ? { errors: problem.mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) } : {};
}
