import { setImmediate as others } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { DatabaseUnavailable } from '../platform/database.ts';
import type { LongDecimal } from '../platform/decimal.ts';
import { describeError } from '../platform/log.ts';
import { makeNormalizer } from '../platform/normalize.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import { makeChecker } from '../platform/schema.ts';
import { describeAltered, readJson } from '../platform/strict-json.ts';
import type { Call } from './call.ts';
import { answerProblem, type Dialect } from './dialect.ts';
import type { Incoming } from './incoming.ts';
import { type Problem, ProblemError } from './problem.ts';
import type { Shell } from './shell.ts';

/** Largest body that is accepted; endpoints of anonymous callers parse theirs before anything is known about the sender. */
export const bodyMaxBytes = 1_048_576;
export const anonymousBodyMaxBytes = 4096;

/** null: whose call it is, is not known before its body is read. */
export interface AnyCaller {
  accountNo: string | null;
}

/** One of the dialects in which partners talk to us. */
export interface Contract<Caller extends AnyCaller> extends Dialect {
  /** Where the caller's address matters, which behind a proxy is told by its headers: not for the direct lane. */
  needsAddress?: true;
  /** Callers are unknown until their body has been read, so bodies are small and only an endpoint can authenticate the call. */
  isAnonymous?: true;
  /** Who is calling; throws a ProblemError when that cannot be said. */
  authenticate(request: Incoming, body: Buffer): Promise<Caller>;
}

export interface Answer {
  body: unknown;
  status?: number;
  code?: string;
  headers?: Record<string, string>;
  cookies?: string[];
}

export interface Endpoint<Caller, Schema extends TSchema = TSchema> {
  path: string;
  body: Schema;
  /** Throws a ProblemError where this caller may not do this. */
  admit?(caller: Caller): void;
  /** The partner's number of the document it is about, for the request log. */
  documentNo?(body: Static<Schema>): string;
  handle(caller: Caller, body: Static<Schema>, request: Incoming): Promise<Answer>;
}

/** Lets an endpoint's body type follow from its schema. */
export function endpoint<Caller, Schema extends TSchema>(definition: Endpoint<Caller, Schema>): Endpoint<Caller> {
  return definition as unknown as Endpoint<Caller>;
}

/** Mounts a contract: authenticate, limit, admit, read, normalize, check, handle, in this order for every endpoint. */
export async function mountContract<Caller extends AnyCaller>(
  app: FastifyInstance,
  shell: Shell,
  contract: Contract<Caller>,
  endpoints: Endpoint<Caller>[],
): Promise<void> {
  await app.register(
    async (scope) => {
      speak(scope, shell, contract);
      for (const one of endpoints) {
        const work = workOf(shell, contract, one);
        scope.post(one.path, { bodyLimit: contract.isAnonymous ? anonymousBodyMaxBytes : bodyMaxBytes }, handlerOf(work, shell, contract));
        if (!contract.needsAddress) shell.works.set(`${contract.prefix}${one.path}`, { work, contract });
      }
    },
    { prefix: contract.prefix },
  );
}

/** What goes wrong below this scope is worded as this contract does. */
export function speak(scope: FastifyInstance, shell: Shell, contract: Dialect): void {
  shell.dialects.push(contract);
  refuseErrors(scope, shell, contract);
  scope.setNotFoundHandler((request, reply) => refuse(request, reply, shell, contract, shell.problemOfUnknownRoute(request)));
}

/** Turns whatever a handler of this scope throws into a response in the words of this contract. */
export function refuseErrors(scope: FastifyInstance, shell: Shell, contract: Dialect): void {
  scope.setErrorHandler((error, request, reply) => refuse(request, reply, shell, contract, problemOf(error, request, shell)));
}

export async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  shell: Pick<Shell, 'refusalPace'>,
  contract: Dialect,
  problem: Problem,
): Promise<FastifyReply> {
  if (isCheap(problem, request.call)) await waitForTurn(request, shell);
  return answerProblem(reply, request, contract, problem);
}

async function waitForTurn(request: FastifyRequest, shell: Pick<Shell, 'refusalPace'>): Promise<void> {
  // A crowd of waiting requests must not fill the memory with their bodies.
  request.body = undefined;
  await shell.refusalPace();
}

/**
 * A rejection that costs the sender nothing and can be had without end; a crowd that is answered at once would ask again at once. That is every
 * rejection of a caller that has not authenticated, unless the fault is ours.
 */
export function isCheap({ kind }: Problem, { isAuthenticated }: Pick<Call, 'isAuthenticated'>): boolean {
  if (kind === 'unauthorized' || kind === 'rate_limited' || kind === 'unknown_path' || kind === 'wrong_method') return true;
  return !isAuthenticated && kind !== 'overloaded' && kind !== 'database_unavailable' && kind !== 'internal';
}

/** What an endpoint does with a request, whichever way it came in; throws what goes wrong. */
export type Work = (request: Incoming, raw: Buffer) => Promise<Answer>;

function handlerOf(work: Work, shell: Shell, contract: Pick<Contract<AnyCaller>, 'isAnonymous'>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { body, status = 200, headers, cookies } = await work(request, (request.body as Buffer | undefined) ?? noBody);
    // Wrong credentials are a normal response of these contracts, but as cheap for the sender as any other rejection.
    if (contract.isAnonymous && !request.call.isAuthenticated) await waitForTurn(request, shell);
    if (headers) reply.headers(headers);
    if (cookies) reply.header('set-cookie', cookies);
    return reply.code(status).send(body);
  };
}

function workOf<Caller extends AnyCaller>(shell: Shell, contract: Contract<Caller>, one: Endpoint<Caller>): Work {
  const normalize = makeNormalizer(one.body);
  const check = makeChecker(one.body);
  return async (request, raw) => {
    shell.load.enter();
    try {
      const caller = await contract.authenticate(request, raw);
      request.call.isAuthenticated = !contract.isAnonymous;
      if (caller.accountNo !== null) {
        request.call.accountNo = caller.accountNo;
        limitRate(shell.rateLimit, caller.accountNo);
      }
      one.admit?.(caller);

      refuseOtherThanJson(request);
      const longDecimals: LongDecimal[] = [];
      const value = readBody(raw, longDecimals);
      if (raw.length > largeBodyBytes) await others();
      const body = checkBody(normalize(value), check);
      if (longDecimals.length > 0) refuseUnrounded(longDecimals);
      if (raw.length > largeBodyBytes) await others();
      if (one.documentNo) request.call.documentNo = one.documentNo(body);

      const answer = await one.handle(caller, body, request);
      if (answer.code !== undefined) request.call.code = answer.code;
      if (answer.status !== undefined && answer.status >= 400) request.call.reason = messageIn(answer.body);
      return answer;
    } finally {
      shell.load.leave();
    }
  };
}

const noBody = Buffer.alloc(0);
const reasonLengthMax = 500;

/** What a refusal says in the envelope of its contract: numbers and skus, no details of people. */
function messageIn(body: unknown): string | null {
  const { msg, message } = body as { msg?: string; message?: string };
  return (msg ?? message)?.slice(0, reasonLengthMax) ?? null;
}

export function limitRate(rateLimit: RateLimit, accountNo: string): void {
  const verdict = rateLimit(accountNo);
  if (verdict.kind === 'limited') throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds: verdict.retryAfterSeconds });
}

/** Reading, checking and doing what such a body says take some 20 ms each: others have their turn in between. */
const largeBodyBytes = 100_000;

function readBody(raw: Buffer, longDecimals: LongDecimal[]): unknown {
  const reading = readJson(raw, longDecimals);
  if (reading.kind === 'refused') throw new ProblemError({ kind: 'bad_request', message: reading.message });
  return reading.value;
}

function checkBody<T>(value: unknown, check: ReturnType<typeof makeChecker>): T {
  const checked = check(value);
  if (checked.kind === 'mistakes') throw new ProblemError({ kind: 'invalid', mistakes: checked.mistakes });
  return checked.value as T;
}

/** In a field that is not rounded, for example in the data of a label, a number must stay as it was sent. */
function refuseUnrounded(longDecimals: LongDecimal[]): void {
  const unrounded = longDecimals.find(({ isRounded }) => !isRounded);
  if (unrounded) throw new ProblemError({ kind: 'bad_request', message: describeAltered(unrounded.at) });
}

function refuseOtherThanJson(request: Incoming): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json *(; *charset="?utf-8"? *)?;?$/i.test(type)) {
    throw new ProblemError({ kind: 'not_json', message: 'the content type must be application/json' });
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new ProblemError({ kind: 'not_json', message: 'a content encoding is not supported' });
  }
}

/** What was thrown, seen as a problem; a surprise is logged and nothing of it is told. */
export function problemOf(
  error: unknown,
  request: Incoming & Partial<Pick<FastifyRequest, 'routeOptions'>>,
  shell: Pick<Shell, 'log'>,
): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof DatabaseUnavailable) return { kind: 'database_unavailable', reason: error.message };
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { kind: 'body_too_large', maxBytes: request.routeOptions?.bodyLimit ?? bodyMaxBytes };
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { kind: 'bad_request', message: 'the request could not be read' };
  }
  shell.log.error({ trace_id: request.id, ...describeError(error) }, 'a request failed');
  return { kind: 'internal' };
}
