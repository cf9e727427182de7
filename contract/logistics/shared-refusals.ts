import { exampleNotDone, NotDoneEnvelope } from '../main/envelope.ts';
import { mainRefusals } from '../main/shared-refusals.ts';
import type { AnswerReference } from '../reference.ts';

const { MainUnknownPath, MainWrongMethod, MainBodyTooLarge, MainNotJson, MainRateLimited, MainInternalError, MainUnavailable } =
  mainRefusals;

/** What any endpoint may answer, before or beside its business: in the envelope of the main API and so in its words, under names of its own. */
export const logisticsRefusals = {
  LogisticsUnauthorized: {
    status: 401,
    description:
      'There is no API key, it is not one of ours, or it is disabled. Which of these it was is not told; the operator can look it up by the trace id.',
    schema: NotDoneEnvelope,
    examples: {
      unauthorized: { summary: 'Authentication failed', value: exampleNotDone('authentication failed') },
      header_twice: { summary: 'The header came twice', value: exampleNotDone('the header authorization came twice') },
    },
  },
  LogisticsUnknownPath: { ...MainUnknownPath },
  LogisticsWrongMethod: { ...MainWrongMethod },
  LogisticsBodyTooLarge: { ...MainBodyTooLarge },
  LogisticsNotJson: { ...MainNotJson },
  LogisticsRateLimited: {
    ...MainRateLimited,
    description:
      'The account sends more requests per second than the operator allows it. Nothing was done; send it again after `Retry-After`.',
  },
  LogisticsInternalError: { ...MainInternalError },
  LogisticsUnavailable: { ...MainUnavailable },
} satisfies Record<string, AnswerReference>;
