import type { AnswerReference, ExampleReference } from '../reference.ts';
import { RetrySeconds, Text } from '../values.ts';
import { exampleRefusal, RefusalEnvelope } from './envelope.ts';

/** A body that is no readable JSON, which every endpoint refuses in the same words. */
export const unreadableBody: ExampleReference = {
  summary: 'The body cannot be read',
  value: exampleRefusal('PARAM_INVALID', 'The body is not valid JSON: it ends too early.'),
};

const retryAfter = (required: boolean) => ({
  description: 'Seconds to wait before the next try.',
  schema: RetrySeconds,
  required,
});

/** What any endpoint may answer, before or beside its business. */
export const sharedRefusals = {
  Unauthorized: {
    status: 401,
    description:
      'A header is missing or came twice, the account is not registered, the timestamp is more than 300 s off, or the signature does not match. ' +
      'Which of these it was is not told; the operator can look it up by the trace id.',
    schema: RefusalEnvelope('LST-TPW-4001'),
    examples: { unauthorized: { summary: 'Authentication failed', value: exampleRefusal('LST-TPW-4001', 'authentication failed') } },
  },
  UnknownPath: {
    status: 404,
    description: 'There is no such path; paths are compared exactly, without a slash at the end.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: { unknown_path: { summary: 'No such path', value: exampleRefusal('PARAM_INVALID', 'no such path') } },
  },
  WrongMethod: {
    status: 405,
    description: 'Another method than POST.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    headers: { allow: { description: 'The method that is right.', schema: Text(255, 'POST'), required: true } },
    examples: { wrong_method: { summary: 'Another method', value: exampleRefusal('PARAM_INVALID', 'this path takes POST only') } },
  },
  BodyTooLarge: {
    status: 413,
    description: 'The body is larger than 1 MiB. The connection is closed.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: {
      body_too_large: { summary: 'Body too large', value: exampleRefusal('PARAM_INVALID', 'the body is larger than 1048576 bytes') },
    },
  },
  NotJson: {
    status: 415,
    description: 'The content type is not `application/json` in UTF-8, or there is a content encoding.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: {
      content_type: { summary: 'Not JSON', value: exampleRefusal('PARAM_INVALID', 'the content type must be application/json') },
      content_encoding: { summary: 'Compressed', value: exampleRefusal('PARAM_INVALID', 'a content encoding is not supported') },
    },
  },
  RateLimited: {
    status: 429,
    description:
      'The account sends more requests per second than the operator allows it. Nothing was done; send it again after `Retry-After`.',
    schema: RefusalEnvelope('LST-TPW-4290'),
    headers: { 'retry-after': retryAfter(true) },
    examples: {
      rate_limited: { summary: 'Too many requests', value: exampleRefusal('LST-TPW-4290', 'too many requests; try again in 1 s') },
    },
  },
  InternalError: {
    status: 500,
    description: 'A mistake of ours. Whether the request took effect is not certain; send the same again, and report the trace id.',
    schema: RefusalEnvelope('LST-TPW-5000'),
    examples: { internal: { summary: 'Internal error', value: exampleRefusal('LST-TPW-5000', 'internal error') } },
  },
  Unavailable: {
    status: 503,
    description:
      '`LST-TPW-5030`: the integration is not enabled, as a whole or for this account; ask the operator. ' +
      '`LST-TPW-5031`: the service is busy or its database out of reach; send the same again after `Retry-After`, which comes with this code only.',
    schema: RefusalEnvelope('LST-TPW-5030', 'LST-TPW-5031'),
    headers: { 'retry-after': retryAfter(false) },
    examples: {
      not_enabled: { summary: 'Not enabled', value: exampleRefusal('LST-TPW-5030', 'this integration is not enabled') },
      database_unavailable: {
        summary: 'Database out of reach',
        value: exampleRefusal('LST-TPW-5031', 'the database is out of reach; try again shortly'),
      },
      overloaded: { summary: 'Busy', value: exampleRefusal('LST-TPW-5031', 'the service is busy; try again shortly') },
    },
  },
} satisfies Record<string, AnswerReference>;
