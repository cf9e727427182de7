import { type Mistake, wordPath } from '../platform/schema.ts';

/** What can be wrong with a request before or beside its business; each contract words it in its own envelope. */
export type Problem =
  | { kind: 'unknown_path' }
  | { kind: 'wrong_method'; allow: string[] }
  | { kind: 'bad_request'; message: string }
  | { kind: 'body_too_large'; maxBytes: number }
  | { kind: 'not_json'; message: string }
  | { kind: 'invalid'; mistakes: Mistake[] }
  /**
   * The reason is for the request log; the caller is not told more than the contract says, and that is `told`. Where the request has no
   * credentials at all, RFC 6750 wants a challenge without an error.
   */
  | { kind: 'unauthorized'; reason: string; told?: string; hasNoCredentials?: true }
  | { kind: 'forbidden'; permission: string }
  /** Not for lack of a client's permission: a role, or whose page asks. */
  | { kind: 'not_allowed'; message: string }
  | { kind: 'not_found'; message: string }
  | { kind: 'not_enabled'; reason: string }
  | { kind: 'rate_limited'; retryAfterSeconds: number; reason?: string }
  | { kind: 'overloaded'; reason: string }
  | { kind: 'database_unavailable'; reason: string }
  | { kind: 'internal' };

/** Ends a request wherever it is. */
export class ProblemError extends Error {
  problem: Problem;
  constructor(problem: Problem) {
    // A refusal is no surprise, and nobody reads its stack: in a flood, collecting it would cost more than the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(problem.kind);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

export const retryAfterSeconds = 1;

/** The status and the headers are HTTP's own, so they are the same in every contract. */
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

export const authenticationFailed = 'authentication failed';

/** One line for the envelope's message. */
export function messageOf(problem: Problem): string {
  switch (problem.kind) {
    case 'unknown_path':
      return 'no such path';
    case 'wrong_method':
      return `this path takes ${problem.allow.join(', ')} only`;
    case 'bad_request':
    case 'not_json':
    case 'not_allowed':
    case 'not_found':
      return problem.message;
    case 'invalid':
      return wordMistakes(problem.mistakes, 1);
    case 'body_too_large':
      return `the body is larger than ${problem.maxBytes} bytes`;
    case 'unauthorized':
      return problem.told ?? authenticationFailed;
    case 'forbidden':
      return `this client lacks the permission ${problem.permission}`;
    case 'not_enabled':
      return 'this integration is not enabled';
    case 'rate_limited':
      return `too many requests; try again in ${problem.retryAfterSeconds} s`;
    case 'overloaded':
      return 'the service is busy; try again shortly';
    case 'database_unavailable':
      return 'the database is out of reach; try again shortly';
    case 'internal':
      return 'internal error';
    default:
      return problem satisfies never;
  }
}

/** What the request log keeps: also what the caller is not told. */
export function reasonOf(problem: Problem): string {
  return ('reason' in problem ? problem.reason : undefined) ?? messageOf(problem);
}

/** So many of them, and how many more there are. */
export function wordMistakes(mistakes: Mistake[], wordedMax: number): string {
  const worded = mistakes.slice(0, wordedMax).map(wordMistake).join('; ');
  return mistakes.length > wordedMax ? `${worded} (and ${mistakes.length - wordedMax} more)` : worded;
}

function wordMistake({ path, message }: Mistake): string {
  return path.length > 0 ? `${wordPath(path)} ${message}` : `the body ${message}`;
}
