import type { CallbackTestBody, CallbackTestRetval } from '../../contract/logistics/callback-test.ts';
import { errorMessage } from '../../messages/errors.ts';
import type { Message } from '../../messages/message.ts';
import type { TestCallbackOutcome, TestCallbackRequest } from '../domain/test-callbacks/send-test-callback.ts';
import { ProblemError } from '../http/problem.ts';

export function testRequestOf(
  body: CallbackTestBody,
  caller: Pick<TestCallbackRequest, 'account' | 'keyName'>,
): TestCallbackRequest {
  const { event, document_no, callback_url } = body;
  return { ...caller, event, documentNo: document_no ?? null, callbackUrl: callback_url ?? null };
}

export type CallbackTestResult =
  | { kind: 'done'; retval: CallbackTestRetval }
  | { kind: 'rejected'; field: keyof CallbackTestBody; message: Message };

/** The response to a test in terms that both contracts format in their own envelope. */
export function toTestResult(outcome: TestCallbackOutcome): CallbackTestResult {
  switch (outcome.kind) {
    case 'queued': {
      const { eventId, documentNo, url } = outcome;
      return { kind: 'done', retval: { event_id: eventId, document_no: documentNo, callback_url: url } };
    }
    case 'document_not_found':
      return { kind: 'rejected', field: 'document_no', message: errorMessage('document_not_found') };
    case 'address_of_production':
      return { kind: 'rejected', field: 'callback_url', message: errorMessage('test_url_of_production') };
    case 'no_address':
      return { kind: 'rejected', field: 'callback_url', message: errorMessage('test_without_url') };
    case 'no_secret':
      return { kind: 'rejected', field: 'document_no', message: errorMessage('test_without_secret') };
    case 'too_many':
      throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds: outcome.retryAfterSeconds });
    default:
      return outcome satisfies never;
  }
}
