import { makeCallbackTestBody } from '../../../contract/logistics/callback-test.ts';
import type { WebAddress } from '../../../contract/values.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone } from '../../http/done-envelope.ts';
import { endpoint } from '../../http/endpoint.ts';
import { testRequestOf, toTestResult } from '../callback-test-response.ts';
import type { LogisticsCaller } from './logistics-contract.ts';

/** Sends a callback for an event that has not happened; the caller's key signs it. */
export function callbacksTest(
  { sendTestCallback }: Pick<DomainOperations, 'sendTestCallback'>,
  CallbackUrl: typeof WebAddress,
) {
  const body = makeCallbackTestBody(CallbackUrl);
  return endpoint<LogisticsCaller, typeof body>({
    path: '/callbacks/test',
    body,
    documentNo: ({ document_no }) => document_no ?? '',
    async handle({ account, key }, test) {
      const result = toTestResult(await sendTestCallback(testRequestOf(test, { account, keyName: key.name })));
      return result.kind === 'done' ? done(result.retval) : notDone(atField(result.field, result.message), 400);
    },
  });
}
