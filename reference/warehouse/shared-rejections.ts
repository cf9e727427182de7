import { RetrySeconds, Text } from '../../contract/values.ts';
import { exampleRejection, RefusalEnvelope } from '../../contract/warehouse/envelope.ts';
import { listErrorsOfAll } from '../errors/example-errors.ts';
import type { ExampleReference } from '../reference.ts';

/** The response to a body that is not valid JSON; it is the same at every endpoint. */
export const unreadableBody: ExampleReference = {
  summary: 'The body cannot be read',
  value: exampleRejection('PARAM_INVALID', 'The body is not valid JSON: it ends too early.'),
};

const retryAfter = (required: boolean) => ({
  description: 'Seconds to wait before the next attempt.',
  schema: RetrySeconds,
  required,
});

/** Error responses that any endpoint may return, independent of its business rules. */
export const sharedRejections = listErrorsOfAll('warehouse', {
  Unauthorized: {
    status: 401,
    description:
      'A header is missing or was sent twice, the account is not registered, the timestamp is more than 300 s off, or the signature does not match. ' +
      'For security, the response does not say which; the operator can look it up by the trace id.',
    schema: RefusalEnvelope('LST-TPW-4001'),
    examples: {
      unauthorized: {
        summary: 'Authentication failed',
        value: exampleRejection('LST-TPW-4001', 'authentication failed'),
      },
    },
  },
  UnknownPath: {
    status: 404,
    description: 'The path does not exist. Paths are compared exactly and must not end with a slash.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: { unknown_path: { summary: 'No such path', value: exampleRejection('PARAM_INVALID', 'no such path') } },
  },
  WrongMethod: {
    status: 405,
    description: 'The method is not POST.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    headers: { allow: { description: 'The allowed method.', schema: Text(255, 'POST'), required: true } },
    examples: {
      wrong_method: { summary: 'Wrong method', value: exampleRejection('PARAM_INVALID', 'this path takes POST only') },
    },
  },
  BodyTooLarge: {
    status: 413,
    description: 'The body is larger than 1 MiB. The connection is closed.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: {
      body_too_large: {
        summary: 'Body too large',
        value: exampleRejection('PARAM_INVALID', 'the body is larger than 1048576 bytes'),
      },
    },
  },
  NotJson: {
    status: 415,
    description: 'The content type is not `application/json` in UTF-8, or the request has a content encoding.',
    schema: RefusalEnvelope('PARAM_INVALID'),
    examples: {
      content_type: {
        summary: 'Not JSON',
        value: exampleRejection('PARAM_INVALID', 'the content type must be application/json'),
      },
      content_encoding: {
        summary: 'Compressed',
        value: exampleRejection('PARAM_INVALID', 'a content encoding is not supported'),
      },
    },
  },
  RateLimited: {
    status: 429,
    description:
      'The account exceeds its limit of requests per second. The request was not processed; send it again after the time given in `Retry-After`.',
    schema: RefusalEnvelope('LST-TPW-4290'),
    headers: { 'retry-after': retryAfter(true) },
    examples: {
      rate_limited: {
        summary: 'Too many requests',
        value: exampleRejection('LST-TPW-4290', 'too many requests; try again in 1 s'),
      },
    },
  },
  InternalError: {
    status: 500,
    description:
      'An error on our side. The request may or may not have taken effect; send the same request again, and report the trace id.',
    schema: RefusalEnvelope('LST-TPW-5000'),
    examples: { internal: { summary: 'Internal error', value: exampleRejection('LST-TPW-5000', 'internal error') } },
  },
  Unavailable: {
    status: 503,
    description:
      '`LST-TPW-5030`: the integration is disabled, for everyone or for this account; contact the operator. ' +
      '`LST-TPW-5031`: the service is busy or its database is unavailable; send the same request again after the time given in `Retry-After`, which only this code has.',
    schema: RefusalEnvelope('LST-TPW-5030', 'LST-TPW-5031'),
    headers: { 'retry-after': retryAfter(false) },
    examples: {
      not_enabled: {
        summary: 'Not enabled',
        value: exampleRejection('LST-TPW-5030', 'this integration is not enabled'),
      },
      database_unavailable: {
        summary: 'Database unavailable',
        value: exampleRejection('LST-TPW-5031', 'the database is out of reach; try again shortly'),
      },
      overloaded: {
        summary: 'Busy',
        value: exampleRejection('LST-TPW-5031', 'the service is busy; try again shortly'),
      },
    },
  },
});
