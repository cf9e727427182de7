import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpOf, type Problem, reasonOf } from './problem.ts';

/** How a contract says what went wrong: the envelope, and its code where the contract has codes. */
export type Wording = (problem: Problem, traceId: string) => { body: unknown; code?: string; headers?: Record<string, string> };

/** A contract, as far as the shell knows it. The one without a prefix answers for whatever is no other's. */
export interface Dialect {
  name: string;
  prefix: string;
  word: Wording;
}

/** Answers in the words of a contract, and notes what the request log keeps of it. */
export function answerProblem(reply: FastifyReply, request: FastifyRequest, dialect: Dialect, problem: Problem): FastifyReply {
  const { status, headers } = httpOf(problem);
  const wording = dialect.word(problem, request.id);
  const { call } = request;
  if (call.contract !== null) call.contract = dialect.name;
  if (wording.code !== undefined) call.code = wording.code;
  call.reason = reasonOf(problem);
  return reply
    .code(status)
    .headers({ ...headers, ...wording.headers })
    .send(wording.body);
}
