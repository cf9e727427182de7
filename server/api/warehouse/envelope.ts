import { errorMessage } from '../../../messages/errors.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { EndpointResponse } from '../../http/endpoint.ts';
import type { EnvelopeFormat, FormatProblem } from '../../http/envelope.ts';
import { messageOf, type Problem } from '../../http/problem.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import type { Rejection } from '../rejection.ts';

/** The codes of the warehouse contract. Only this file and the endpoints next to it use them. */
const successCode = 'LST-TPW-2000';
const duplicateCode = 'LST-TPW-2001';
const invalidCode = 'PARAM_INVALID';

export function success(traceId: string, data: object): EndpointResponse {
  return { code: successCode, body: { code: successCode, trace_id: traceId, message: 'success', success: true, data } };
}

/** The response to a duplicate document. This is not an error: its data is that of the original. */
export function duplicate(traceId: string, data: object, path: Mistake['path']): EndpointResponse {
  const reason = errorMessage('duplicate_document');
  return {
    status: 400,
    code: duplicateCode,
    body: { code: duplicateCode, trace_id: traceId, message: formatMessage(reason), success: false, data },
    reason,
    mistakes: [{ path, message: reason }],
  };
}

export function rejected(traceId: string, { message, mistakes }: Rejection): EndpointResponse {
  return {
    status: 400,
    code: invalidCode,
    body: { code: invalidCode, trace_id: traceId, message: formatMessage(message), success: false, data: {} },
    reason: message,
    mistakes,
  };
}

const formatWarehouseProblem: FormatProblem = (problem, traceId) => {
  const code = codeOf(problem);
  // For security, the response to a failed authentication contains no reason.
  const isUnknown = problem.kind === 'unauthorized';
  const message = isUnknown ? errorMessage('authentication_failed_warehouse') : messageOf(problem);
  const text = formatMessage(message);
  return { code, message, body: { code, trace_id: traceId, message: text, success: false, data: {} } };
};

export const warehouseFormat = {
  formatProblem: formatWarehouseProblem,
  lists: { errors: 'data', warnings: 'data' },
} as const satisfies EnvelopeFormat;

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
