import { exampleNotDone, NotDoneEnvelope } from '../../contract/main/envelope.ts';
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
 * Error responses that any endpoint may return. They equal those of the main API, which uses the same envelope, but
 * have their own names.
 */
export const logisticsRejections = {
  LogisticsUnauthorized: {
    status: 401,
    description:
      'The API key is missing, unknown or disabled. For security, the response does not say which; the operator can look it up by the trace id.',
    schema: NotDoneEnvelope,
    examples: {
      unauthorized: { summary: 'Authentication failed', value: exampleNotDone('authentication failed') },
      header_twice: { summary: 'Duplicate header', value: exampleNotDone('the header authorization came twice') },
    },
  },
  LogisticsUnknownPath: { ...MainUnknownPath },
  LogisticsWrongMethod: { ...MainWrongMethod },
  LogisticsBodyTooLarge: { ...MainBodyTooLarge },
  LogisticsNotJson: { ...MainNotJson },
  LogisticsRateLimited: {
    ...MainRateLimited,
    description:
      'The account exceeds its limit of requests per second. The request was not processed; send it again after the time given in `Retry-After`.',
  },
  LogisticsInternalError: { ...MainInternalError },
  LogisticsUnavailable: { ...MainUnavailable },
} satisfies Record<string, ResponseReference>;
