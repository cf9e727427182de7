import type { FastifyReply } from 'fastify';
import type { Incoming } from './incoming.ts';
import { httpOf, type Problem, reasonOf } from './problem.ts';

/** Formats a problem in the envelope of a contract, with its code if the contract has codes. */
export type FormatProblem = (
  problem: Problem,
  traceId: string,
) => { body: unknown; code?: string; headers?: Record<string, string> };

/** A contract as the HTTP server knows it. The one with an empty prefix answers for URLs of no other contract. */
export interface ContractEnvelope {
  name: string;
  prefix: string;
  formatProblem: FormatProblem;
}

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Formats a problem as the contract's response, and notes it in the record of the request. */
export function problemResponse(
  request: Pick<Incoming, 'id' | 'record'>,
  envelope: ContractEnvelope,
  problem: Problem,
): ProblemResponse {
  const { status, headers } = httpOf(problem);
  const formatted = envelope.formatProblem(problem, request.id);
  if (request.record.contract !== null) request.record.contract = envelope.name;
  if (formatted.code !== undefined) request.record.code = formatted.code;
  request.record.reason = reasonOf(problem);
  return { status, headers: { ...headers, ...formatted.headers }, body: formatted.body };
}

export function sendProblem(
  reply: FastifyReply,
  request: Incoming,
  envelope: ContractEnvelope,
  problem: Problem,
): FastifyReply {
  const { status, headers, body } = problemResponse(request, envelope, problem);
  return reply.code(status).headers(headers).send(body);
}
