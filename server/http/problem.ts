import { errorMessage } from '../../messages/errors.ts';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import { atField, listProblems, rejection } from '../../messages/rejection-texts.ts';
import { formatPath, type Mistake } from '../platform/json/schema.ts';

/**
 * Everything that can be wrong with a request apart from its business rules. Each contract formats it in its own
 * envelope.
 */
export type Problem =
  /** `similar`: the path of an API that was probably meant. */
  | { kind: 'unknown_path'; similar?: string }
  | { kind: 'wrong_method'; allow: string[] }
  | { kind: 'bad_request'; message: Message }
  | { kind: 'body_too_large'; maxBytes: number }
  | { kind: 'not_json'; message: Message }
  | { kind: 'invalid'; mistakes: Mistake[] }
  /**
   * `reason` is for the request log; `callerMessage` is for the caller, who must not learn more than the contract
   * says. RFC 6750 wants a challenge without an error if the request has no credentials at all.
   */
  | { kind: 'unauthorized'; reason: Message; callerMessage?: Message; hasNoCredentials?: true }
  | { kind: 'forbidden'; permission: string }
  /** Forbidden for a reason other than a client's permissions: the operator's role, or a page of another origin. */
  | { kind: 'not_allowed'; message: Message }
  | { kind: 'not_found'; message: Message }
  | { kind: 'not_enabled'; reason: Message }
  | { kind: 'rate_limited'; retryAfterSeconds: number; reason?: Message }
  | { kind: 'overloaded'; reason: Message }
  | { kind: 'database_unavailable'; reason: Message }
  | { kind: 'internal' };

/** Thrown anywhere, it rejects the request. */
export class ProblemError extends Error {
  problem: Problem;
  constructor(problem: Problem) {
    // Nobody reads the stack of a rejection; under attack, capturing it would cost more than the response.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(problem.kind);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

export const retryAfterSeconds = 1;

/** Status and headers belong to HTTP, so they are the same in every contract. */
export function httpOf(problem: Problem): { status: number; headers: Record<string, string> } {
  switch (problem.kind) {
    case 'unknown_path':
    case 'not_found':
      return { status: 404, headers: {} };
    case 'wrong_method':
      return { status: 405, headers: { allow: problem.allow.join(', ') } };
    case 'bad_request':
    case 'invalid':
      return { status: 400, headers: {} };
    case 'body_too_large':
      return { status: 413, headers: { connection: 'close' } };
    case 'not_json':
      return { status: 415, headers: {} };
    case 'unauthorized':
      return { status: 401, headers: {} };
    case 'forbidden':
    case 'not_allowed':
      return { status: 403, headers: {} };
    case 'rate_limited':
      return { status: 429, headers: { 'retry-after': String(problem.retryAfterSeconds) } };
    case 'not_enabled':
      return { status: 503, headers: {} };
    case 'overloaded':
    case 'database_unavailable':
      return { status: 503, headers: { 'retry-after': String(retryAfterSeconds) } };
    case 'internal':
      return { status: 500, headers: {} };
    default:
      return problem satisfies never;
  }
}

/** The message of the envelope, in one line. */
export function messageOf(problem: Problem): Message {
  switch (problem.kind) {
    case 'unknown_path':
      return problem.similar === undefined
        ? errorMessage('no_such_path')
        : errorMessage('no_such_path_similar', { similar: problem.similar });
    case 'wrong_method':
      return errorMessage('wrong_method', { methods: problem.allow.join(', ') });
    case 'bad_request':
    case 'not_json':
    case 'not_allowed':
    case 'not_found':
      return problem.message;
    case 'invalid':
      return describeMistakes(problem.mistakes, 1);
    case 'body_too_large':
      return errorMessage('too_large', { bytes: problem.maxBytes });
    case 'unauthorized':
      return problem.callerMessage ?? authenticationFailed;
    case 'forbidden':
      return errorMessage('permission_missing', { permission: problem.permission });
    case 'not_enabled':
      return errorMessage('not_enabled');
    case 'rate_limited':
      return errorMessage('too_many_requests', { seconds: problem.retryAfterSeconds });
    case 'overloaded':
      return errorMessage('service_busy');
    case 'database_unavailable':
      return errorMessage('database_out_of_reach');
    case 'internal':
      return errorMessage('internal_error');
    default:
      return problem satisfies never;
  }
}

/** The text is the same in every contract; its causes are not. */
const authenticationFailed = errorMessage('authentication_failed_main');

/** The reason for the request log, which may say more than the message for the caller. */
export function reasonOf(problem: Problem): Message {
  return ('reason' in problem ? problem.reason : undefined) ?? messageOf(problem);
}

/** Lists the first mistakes, and counts the others. */
export function describeMistakes(mistakes: Mistake[], max: number): Message {
  const problems = mistakes
    .slice(0, max)
    .map(({ path, message }) =>
      path.length > 0 ? atField(formatPath(path), message) : rejection('at_body', { problem: message }),
    );
  return listProblems(problems, mistakes.length - problems.length);
}

/** Each mistake with its path, as responses list them. */
export function formatMistakes(mistakes: Mistake[]): { path: string; message: string }[] {
  return mistakes.map(({ path, message }) => ({ path: formatPath(path), message: formatMessage(message) }));
}
