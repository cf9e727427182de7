import type { FastifyReply } from 'fastify';
import type { Message } from '../../messages/message.ts';
import { formatErrors, type ListHolders, withList } from './error-list.ts';
import type { Incoming } from './incoming.ts';
import { httpOf, type Problem, reasonOf } from './problem.ts';

/**
 * Formats a problem in the envelope of a contract, without its list of errors; with its code if the contract has codes.
 * `message` is the one that the caller receives.
 */
export type FormatProblem = (
  problem: Problem,
  traceId: string,
) => { body: unknown; message: Message; code?: string; headers?: Record<string, string> };

/** The format of a contract's responses. */
export interface EnvelopeFormat {
  formatProblem: FormatProblem;
  /** Absent in the console, whose pages do not need the lists. */
  lists?: ListHolders;
}

/** A contract as the HTTP server knows it. The one with an empty prefix answers for URLs of no other contract. */
export interface ContractEnvelope extends EnvelopeFormat {
  name: string;
  prefix: string;
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
  context: { docsUrl: string },
): ProblemResponse {
  const { status, headers } = httpOf(problem);
  const formatted = envelope.formatProblem(problem, request.id);
  if (request.record.contract !== null) request.record.contract = envelope.name;
  if (formatted.code !== undefined) request.record.code = formatted.code;
  request.record.reason = reasonOf(problem);
  return {
    status,
    headers: { ...headers, ...formatted.headers },
    body: withErrorsOf(problem, formatted, envelope, context),
  };
}

function withErrorsOf(
  problem: Problem,
  { body, message }: ReturnType<FormatProblem>,
  { lists }: EnvelopeFormat,
  { docsUrl }: { docsUrl: string },
): unknown {
  if (!lists) return body;
  const mistakes = problem.kind === 'invalid' ? problem.mistakes : [{ path: [], message }];
  return withList(body, lists.errors, 'errors', formatErrors(mistakes, docsUrl));
}

export function sendProblem(
  reply: FastifyReply,
  request: Incoming,
  envelope: ContractEnvelope,
  problem: Problem,
  context: { docsUrl: string },
): FastifyReply {
  const { status, headers, body } = problemResponse(request, envelope, problem, context);
  return reply.code(status).headers(headers).send(body);
}
