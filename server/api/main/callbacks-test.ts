import { makeCallbackTestBody } from '../../../contract/logistics/callback-test.ts';
import type { WebAddress } from '../../../contract/values.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone } from '../../http/done-envelope.ts';
import { testRequestOf, toTestResult } from '../callback-test-response.ts';
import { operation } from './main-contract.ts';

/** Sends a callback for an event that has not happened, so that a receiver can be tried. */
export function callbacksTest(
  { sendTestCallback }: Pick<DomainOperations, 'sendTestCallback'>,
  CallbackUrl: typeof WebAddress,
) {
  return operation('callbacks.write', {
    path: '/callbacks/test',
    body: makeCallbackTestBody(CallbackUrl),
    documentNo: ({ document_no }) => document_no ?? '',
    async handle({ account }, body) {
      const result = toTestResult(await sendTestCallback(testRequestOf(body, { account, keyName: null })));
      return result.kind === 'done' ? done(result.retval) : notDone(atField(result.field, result.message), 400);
    },
  });
}
