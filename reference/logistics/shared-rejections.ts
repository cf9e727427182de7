import type { ErrorItem } from '../../contract/errors/lists.ts';
import { RejectedEnvelope } from '../../contract/logistics/envelope.ts';
import { exampleNotDone } from '../../contract/main/envelope.ts';
import { listErrors, placeErrors } from '../errors/example-errors.ts';
import { mainRejections } from '../main/shared-rejections.ts';
import type { ResponseReference } from '../reference.ts';

const {
  MainUnknownPath,
  MainWrongMethod,
  MainBodyTooLarge,
  MainNotJson,
  MainRateLimited,
  MainInternalError,
  MainUnavailable,
} = mainRejections;

/**
 * Error responses that any endpoint may return. They are those of the main API, except that the errors
 * are in `retval`.
 */
export const logisticsRejections = {
  LogisticsUnauthorized: listErrors('logistics', {
    status: 401,
    description:
      'The API key is missing, unknown or disabled. For security, the response does not say which; the operator can look it up by the trace id.',
    schema: RejectedEnvelope,
    examples: {
      unauthorized: { summary: 'Authentication failed', value: exampleNotDone('authentication failed') },
      header_twice: { summary: 'Duplicate header', value: exampleNotDone('the header authorization came twice') },
    },
  }),
  LogisticsUnknownPath: asLogistics(MainUnknownPath),
  LogisticsWrongMethod: asLogistics(MainWrongMethod),
  LogisticsBodyTooLarge: asLogistics(MainBodyTooLarge),
  LogisticsNotJson: asLogistics(MainNotJson),
  LogisticsRateLimited: {
    ...asLogistics(MainRateLimited),
    description:
      'The account exceeds its limit of requests per second. The request was not processed; send it again after the time given in `Retry-After`.',
  },
  LogisticsInternalError: asLogistics(MainInternalError),
  LogisticsUnavailable: asLogistics(MainUnavailable),
} satisfies Record<string, ResponseReference>;

function asLogistics(answer: ResponseReference): ResponseReference {
  const examples = Object.entries(answer.examples).map(([name, example]) => {
    const { errors, ...body } = example.value as { errors: ErrorItem[] };
    return [name, { ...example, value: placeErrors('logistics', body, errors) }];
  });
  return { ...answer, schema: RejectedEnvelope, examples: Object.fromEntries(examples) };
}
