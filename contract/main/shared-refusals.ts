import type { AnswerReference, ExampleReference } from '../reference.ts';
import { RetrySeconds, Text } from '../values.ts';
import { exampleNotDone, NotDoneEnvelope } from './envelope.ts';

/** A body that is no readable JSON, which every endpoint refuses in the same words. */
export const unreadableBody: ExampleReference = {
  summary: 'The body cannot be read',
  value: exampleNotDone('The body is not valid JSON: it ends too early.'),
};

const refusal = (
  status: number,
  description: string,
  examples: Record<string, [summary: string, msg: string]>,
  headers?: AnswerReference['headers'],
): AnswerReference => ({
  status,
  description,
  schema: NotDoneEnvelope,
  ...(headers ? { headers } : {}),
  examples: Object.fromEntries(Object.entries(examples).map(([name, [summary, msg]]) => [name, { summary, value: exampleNotDone(msg) }])),
});

const retryAfter = {
  description: 'Seconds to wait before the next try.',
  schema: RetrySeconds,
  required: true,
};

const challenge = (description: string, example: string): AnswerReference['headers'] => ({
  'www-authenticate': { description, schema: Text(255, example), required: true },
});
const invalidToken = challenge(
  'The challenge of RFC 6750. It has no `error` where the request has no token: `Bearer realm="lading"`.',
  'Bearer error="invalid_token"',
);
const insufficientScope = challenge(
  'The challenge of RFC 6750; `scope` is the permission that the client lacks.',
  'Bearer error="insufficient_scope", scope="orders.read"',
);
const headerTwice: [summary: string, msg: string] = ['The header came twice', 'the header authorization came twice'];

/** What only operations with a bearer token answer. */
export const bearerRefusals = {
  InvalidToken: refusal(
    401,
    'No access token that is good at this moment. Get a new one and try once more; if that is refused too, look at `msg`.',
    {
      expired: ['Expired', 'the access token has expired'],
      no_header: ['No Authorization header', 'the header Authorization is missing; it must be: Bearer <access token>'],
      no_prefix: ['No Bearer prefix', 'the header Authorization must be: Bearer <access token>'],
      malformed: ['Malformed', 'the access token is malformed'],
      invalid: ['Not one of ours', 'the access token is not valid'],
      disabled: ['Client disabled', 'this client is disabled'],
      header_twice: headerTwice,
    },
    invalidToken,
  ),
  Forbidden: refusal(
    403,
    'The client has no permission for this operation. The operator grants permissions.',
    { forbidden: ['No permission', 'this client lacks the permission orders.read'] },
    insufficientScope,
  ),
};

/** What an endpoint that needs no token answers to headers that two readers could read differently. */
export const openRefusals = {
  HeaderTwice: refusal(
    401,
    'The header `authorization`, which is not needed here, came twice.',
    { header_twice: headerTwice },
    invalidToken,
  ),
};

/** What is answered before it is known whose request it is, and so in the same words everywhere. */
export const brokenRequests = {
  RequestTimeout: refusal(408, 'The request did not arrive as a whole within 15 s. The connection is closed.', {
    request_timeout: ['Too slow', 'the request took too long to arrive'],
  }),
  HeadersTooLarge: refusal(431, 'All headers together are larger than 16 KiB. The connection is closed.', {
    headers_too_large: ['Headers too large', 'the headers are too large'],
  }),
};

/** What any endpoint may answer, before or beside its business. */
export const mainRefusals = {
  MainUnknownPath: refusal(404, 'There is no such path; paths are compared exactly, without a slash at the end.', {
    unknown_path: ['No such path', 'no such path'],
  }),
  MainWrongMethod: refusal(
    405,
    'Another method than POST.',
    { wrong_method: ['Another method', 'this path takes POST only'] },
    { allow: { description: 'The method that is right.', schema: Text(255, 'POST'), required: true } },
  ),
  MainBodyTooLarge: refusal(413, 'The body is larger than 1 MiB, or than 4 KiB at the token call. The connection is closed.', {
    body_too_large: ['Body too large', 'the body is larger than 1048576 bytes'],
  }),
  MainNotJson: refusal(415, 'The content type is not `application/json` in UTF-8, or there is a content encoding.', {
    content_type: ['Not JSON', 'the content type must be application/json'],
    content_encoding: ['Compressed', 'a content encoding is not supported'],
  }),
  MainRateLimited: refusal(
    429,
    'More requests per second than the operator allows the account, or more searches at once than are served in a second; at the token call, too many ' +
      'wrong guesses. Send it again after `Retry-After`.',
    { rate_limited: ['Too many requests', 'too many requests; try again in 1 s'] },
    { 'retry-after': retryAfter },
  ),
  MainInternalError: refusal(
    500,
    'A mistake of ours. Whether the request took effect is not certain; send the same again, and report the trace id.',
    {
      internal: ['Internal error', 'internal error'],
    },
  ),
  MainUnavailable: refusal(
    503,
    'The service is busy or its database out of reach; send the same again after `Retry-After`.',
    {
      database_unavailable: ['Database out of reach', 'the database is out of reach; try again shortly'],
      overloaded: ['Busy', 'the service is busy; try again shortly'],
    },
    { 'retry-after': retryAfter },
  ),
};

/** What a path that is read by GET may answer. */
export const readRefusals = {
  UnfitRead: refusal(400, 'The header `host` is missing or came twice.', { no_host: ['No host', 'the header host is missing'] }),
  ReadWrongMethod: refusal(
    405,
    'Another method than GET and HEAD.',
    { wrong_method: ['Another method', 'this path takes GET only'] },
    { allow: { description: 'The method that is right.', schema: Text(255, 'GET'), required: true } },
  ),
};
const { MainInternalError, MainUnavailable } = mainRefusals;

/** All of them, in ascending order. */
export const readAnswers: AnswerReference[] = [
  readRefusals.UnfitRead,
  openRefusals.HeaderTwice,
  readRefusals.ReadWrongMethod,
  ...Object.values(brokenRequests),
  MainInternalError,
  MainUnavailable,
];
