import type { FastifyReply } from 'fastify';
import type { Incoming } from './incoming.ts';
import { httpOf, type Problem, reasonOf } from './problem.ts';

/** How a contract says what went wrong: the envelope, and its code where the contract has codes. */
export type Wording = (problem: Problem, traceId: string) => { body: unknown; code?: string; headers?: Record<string, string> };

/** A contract, as far as the shell knows it. The one without a prefix answers for whatever is no other's. */
export interface Dialect {
  name: string;
  prefix: string;
  word: Wording;
  /** Sent with every response of this contract. */
  headers?: Record<string, string>;
}

export interface WordedProblem {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** What to answer in the words of a contract; notes what the request log keeps of it. */
export function wordProblem({ id, call }: Pick<Incoming, 'id' | 'call'>, dialect: Dialect, problem: Problem): WordedProblem {
  const { status, headers } = httpOf(problem);
  const wording = dialect.word(problem, id);
  if (call.contract !== null) call.contract = dialect.name;
  if (wording.code !== undefined) call.code = wording.code;
  call.reason = reasonOf(problem);
  return { status, headers: { ...dialect.headers, ...headers, ...wording.headers }, body: wording.body };
}

export function answerProblem(reply: FastifyReply, request: Incoming, dialect: Dialect, problem: Problem): FastifyReply {
  const { status, headers, body } = wordProblem(request, dialect, problem);
  return reply.code(status).headers(headers).send(body);
}
