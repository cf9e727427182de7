import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../../messages/errors.ts';
import type { LongDecimal } from '../platform/json/decimal.ts';
import { makeNormalizer } from '../platform/json/normalize.ts';
import { makeChecker } from '../platform/json/schema.ts';
import { describeAltered, type JsonReading, readJson, readLargeJson } from '../platform/json/strict-json.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';
import { runInSpan } from '../platform/tracing/span.ts';
import type {
  AnyCaller,
  Contract,
  Endpoint,
  EndpointResponse,
  Environment,
  MountedEndpoint,
  RawEndpoint,
  ServeRequest,
} from './endpoint.ts';
import { formatErrors, type ListHolders, withList } from './error-list.ts';
import type { Incoming } from './incoming.ts';
import { anonymousBodyMaxBytes, bodyMaxBytes, largeBodyBytes } from './limits.ts';
import { ProblemError } from './problem.ts';
import { delayRejection, setEnvelope } from './reject.ts';
import type { ServerContext } from './server-context.ts';
import { findUnknownFields } from './unknown-fields.ts';

/** Mounts a contract: authenticate, limit, admit, parse, normalize, check, handle, in this order for every endpoint. */
export async function mountContract<Caller extends AnyCaller>(
  app: FastifyInstance,
  context: ServerContext,
  contract: Contract<Caller>,
  endpoints: Endpoint<Caller>[],
  rawEndpoints: RawEndpoint[] = [],
): Promise<void> {
  const served = [
    ...endpoints.map((one) => ({ path: one.path, serve: makeServe(context, contract, one) })),
    ...rawEndpoints.map((one) => ({ path: one.path, serve: makeRawServe(context, one) })),
  ];
  await app.register(
    async (scope) => {
      setEnvelope(scope, context, contract);
      const bodyLimit = contract.isAnonymous ? anonymousBodyMaxBytes : bodyMaxBytes;
      for (const { path, serve } of served) {
        const endpoint = { serve, contract };
        scope.post(path, { bodyLimit, config: { endpoint } }, makeHandler(endpoint, context));
      }
    },
    { prefix: contract.prefix },
  );
}

function makeHandler({ serve, contract }: MountedEndpoint, context: ServerContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const raw = (request.body as Buffer | undefined) ?? noBody;
    const { body, status = 200, headers, cookies } = await serve(request, raw);
    // Wrong credentials are a normal response of these contracts, but as cheap for the sender as any other rejection.
    if (contract.isAnonymous && !request.record.isAuthenticated) await delayRejection(request, context);
    if (headers) reply.headers(headers);
    if (cookies) reply.header('set-cookie', cookies);
    return reply.code(status).send(body);
  };
}

function makeServe<Caller extends AnyCaller>(
  context: ServerContext,
  contract: Contract<Caller>,
  one: Endpoint<Caller>,
): ServeRequest {
  const normalize = makeNormalizer(one.body);
  const check = makeChecker(one.body);
  const serve: ServeRequest = async (request, raw) => {
    context.load.enter();
    try {
      const caller = await contract.authenticate(request, raw);
      request.record.isAuthenticated = !contract.isAnonymous;
      if (caller.accountNo !== null) {
        request.record.accountNo = caller.accountNo;
        limitRate(context.rateLimit, caller.accountNo);
      }
      one.admit?.(caller);

      requireJson(request);
      const longDecimals: LongDecimal[] = [];
      const isLarge = raw.length > largeBodyBytes;
      const value = valueFrom(isLarge ? await readLargeJson(raw, longDecimals) : readJson(raw, longDecimals));
      if (isLarge) await yieldToOthers();
      const body = checkBody(normalize(value), check);
      if (longDecimals.length > 0) rejectUnrounded(longDecimals);
      if (isLarge) await yieldToOthers();
      if (one.documentNo) request.record.documentNo = one.documentNo(body);

      const response = await one.handle(caller, body, request);
      if (response.code !== undefined) request.record.code = response.code;
      if (response.reason !== undefined) request.record.reason = response.reason;
      if (contract.lists !== undefined) addLists(response, caller.environment, body, one, contract.lists, context);
      return response;
    } finally {
      context.load.leave();
    }
  };
  return (request, raw) => {
    const { span } = request.record;
    return span === null ? serve(request, raw) : runInSpan(span, () => serve(request, raw));
  };
}

function makeRawServe(context: ServerContext, { serve }: RawEndpoint): ServeRequest {
  return async (request, raw) => {
    context.load.enter();
    try {
      const response = await serve(request, raw);
      if (response.code !== undefined) request.record.code = response.code;
      return response;
    } finally {
      context.load.leave();
    }
  };
}

/** Adds the errors of a rejection. A success for a UAT account gets warnings about the unknown fields of the body. */
function addLists(
  response: EndpointResponse,
  ofCaller: Environment | undefined,
  body: unknown,
  { body: schema }: Pick<Endpoint<never>, 'body'>,
  lists: ListHolders,
  { docsUrl }: ServerContext,
): void {
  const { mistakes, environment = ofCaller } = response;
  if (mistakes !== undefined) {
    response.body = withList(response.body, lists.errors, 'errors', formatErrors(mistakes, docsUrl));
  } else if (environment === 'uat') {
    const unknown = findUnknownFields(schema, body);
    if (unknown.length > 0) response.body = withList(response.body, lists.warnings, 'warnings', unknown);
  }
}

const noBody = Buffer.alloc(0);

export function limitRate(rateLimit: RateLimit, accountNo: string): void {
  const verdict = rateLimit(accountNo);
  if (verdict.kind === 'limited')
    throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds: verdict.retryAfterSeconds });
}

function valueFrom(reading: JsonReading): unknown {
  if (reading.kind === 'refused') throw new ProblemError({ kind: 'bad_request', message: reading.message });
  return reading.value;
}

function checkBody<T>(value: unknown, check: ReturnType<typeof makeChecker>): T {
  const checked = check(value);
  if (checked.kind === 'mistakes') throw new ProblemError({ kind: 'invalid', mistakes: checked.mistakes });
  return checked.value as T;
}

/** A field that is not rounded, such as the data of a label, must keep each number exactly as the partner sent it. */
function rejectUnrounded(longDecimals: LongDecimal[]): void {
  const unrounded = longDecimals.find(({ isRounded }) => !isRounded);
  if (unrounded) throw new ProblemError({ kind: 'bad_request', message: describeAltered(unrounded.at) });
}

function requireJson(request: Incoming): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json *(; *charset="?utf-8"? *)?;?$/i.test(type)) {
    throw new ProblemError({ kind: 'not_json', message: errorMessage('wrong_content_type') });
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new ProblemError({ kind: 'not_json', message: errorMessage('content_encoding') });
  }
}
