import { exampleNotDone, NotDoneEnvelope } from '../../contract/main/envelope.ts';
import { RetrySeconds, Text } from '../../contract/values.ts';
import { listErrors } from '../errors/example-errors.ts';
import type { ExampleReference, ResponseReference } from '../reference.ts';

/** The response to a body that is not valid JSON; it is the same at every endpoint. */
export const unreadableBody: ExampleReference = {
  summary: 'The body cannot be read',
  value: exampleNotDone('The body is not valid JSON: it ends too early.'),
};

const rejection = (
  status: number,
  description: string,
  examples: Record<string, [summary: string, msg: string]>,
  headers?: ResponseReference['headers'],
): ResponseReference =>
  listErrors('main', {
    status,
    description,
    schema: NotDoneEnvelope,
    ...(headers ? { headers } : {}),
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, [summary, msg]]) => [name, { summary, value: exampleNotDone(msg) }]),
    ),
  });

const retryAfter = {
  description: 'Seconds to wait before the next attempt.',
  schema: RetrySeconds,
  required: true,
};

const challenge = (description: string, example: string): ResponseReference['headers'] => ({
  'www-authenticate': { description, schema: Text(255, example), required: true },
});
const invalidToken = challenge(
  'The challenge defined by RFC 6750. If the request has no token, it has no `error`: `Bearer realm="lading"`.',
  'Bearer error="invalid_token"',
);
const insufficientScope = challenge(
  'The challenge defined by RFC 6750; `scope` is the permission that the client lacks.',
  'Bearer error="insufficient_scope", scope="orders.read"',
);
const headerTwice: [summary: string, msg: string] = ['Duplicate header', 'the header authorization came twice'];

/** Responses of operations that require a bearer token. */
export const bearerRejections = {
  InvalidToken: rejection(
    401,
    'The access token is missing or not valid. Get a new one and retry once; if that is rejected too, check `msg`.',
    {
      expired: ['Expired', 'the access token has expired'],
      no_header: ['No Authorization header', 'the header Authorization is missing; it must be: Bearer <access token>'],
      no_prefix: ['No Bearer prefix', 'the header Authorization must be: Bearer <access token>'],
      malformed: ['Malformed', 'the access token is malformed'],
      invalid: ['Not issued by this service', 'the access token is not valid'],
      disabled: ['Client disabled', 'this client is disabled'],
      header_twice: headerTwice,
    },
    invalidToken,
  ),
  Forbidden: rejection(
    403,
    'The client lacks the permission for this operation. The operator grants permissions.',
    { forbidden: ['No permission', 'this client lacks the permission orders.read'] },
    insufficientScope,
  ),
};

/**
 * Responses of endpoints that need no token to duplicate headers, which different programs could interpret differently.
 */
export const openRejections = {
  HeaderTwice: rejection(
    401,
    'The header `authorization`, which this endpoint does not need, was sent twice.',
    { header_twice: headerTwice },
    invalidToken,
  ),
};

/** Responses that are sent before the request is routed, and that are therefore the same in every API. */
export const brokenRequests = {
  RequestTimeout: rejection(408, 'The complete request did not arrive within 15 s. The connection is closed.', {
    request_timeout: ['Request too slow', 'the request took too long to arrive'],
  }),
  HeadersTooLarge: rejection(431, 'The headers exceed 16 KiB in total. The connection is closed.', {
    headers_too_large: ['Headers too large', 'the headers are too large'],
  }),
};

/** Error responses that any endpoint may return, independent of its business rules. */
export const mainRejections = {
  MainUnknownPath: rejection(
    404,
    'The path does not exist. Paths are compared exactly and must not end with a slash.',
    {
      unknown_path: ['No such path', 'no such path'],
    },
  ),
  MainWrongMethod: rejection(
    405,
    'The method is not POST.',
    { wrong_method: ['Wrong method', 'this path takes POST only'] },
    { allow: { description: 'The allowed method.', schema: Text(255, 'POST'), required: true } },
  ),
  MainBodyTooLarge: rejection(
    413,
    'The body is larger than 1 MiB (4 KiB for the token endpoint). The connection is closed.',
    {
      body_too_large: ['Body too large', 'the body is larger than 1048576 bytes'],
    },
  ),
  MainNotJson: rejection(
    415,
    'The content type is not `application/json` in UTF-8, or the request has a content encoding.',
    {
      content_type: ['Not JSON', 'the content type must be application/json'],
      content_encoding: ['Compressed', 'a content encoding is not supported'],
    },
  ),
  MainRateLimited: rejection(
    429,
    'The account exceeds its limit of requests per second or of concurrent searches; for the token endpoint, there were too many ' +
      'failed attempts. Send the request again after the time given in `Retry-After`.',
    { rate_limited: ['Too many requests', 'too many requests; try again in 1 s'] },
    { 'retry-after': retryAfter },
  ),
  MainInternalError: rejection(
    500,
    'An error on our side. The request may or may not have taken effect; send the same request again, and report the trace id.',
    {
      internal: ['Internal error', 'internal error'],
    },
  ),
  MainUnavailable: rejection(
    503,
    'The service is busy or its database is unavailable; send the same request again after the time given in `Retry-After`.',
    {
      database_unavailable: ['Database unavailable', 'the database is out of reach; try again shortly'],
      overloaded: ['Busy', 'the service is busy; try again shortly'],
    },
    { 'retry-after': retryAfter },
  ),
};

/** Error responses of GET endpoints. */
export const readRejections = {
  UnfitRead: rejection(400, 'The header `host` is missing or was sent twice.', {
    no_host: ['No host', 'the header host is missing'],
  }),
  ReadWrongMethod: rejection(
    405,
    'The method is neither GET nor HEAD.',
    { wrong_method: ['Wrong method', 'this path takes GET only'] },
    { allow: { description: 'The allowed method.', schema: Text(255, 'GET'), required: true } },
  ),
};
const { MainInternalError, MainUnavailable } = mainRejections;

/** All error responses of GET endpoints, in ascending order of status. */
export const readAnswers: ResponseReference[] = [
  readRejections.UnfitRead,
  openRejections.HeaderTwice,
  readRejections.ReadWrongMethod,
  ...Object.values(brokenRequests),
  MainInternalError,
  MainUnavailable,
];
