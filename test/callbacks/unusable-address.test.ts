import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackDetail, callbackSearch } from '../../contract/console/callbacks.ts';
import { exampleInboundForm } from '../../contract/logistics/inbound-form.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { makeAddressGuard } from '../../server/platform/outgoing/address-guard.ts';
import { makeOutgoingHttp } from '../../server/platform/outgoing/http-client.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { until } from '../support/worker.ts';
import { startTestDelivery } from './delivery.ts';

const app = await startTestApp();
await provisionOperators(app);
const operator = await signIn(app, 'viewer');

const rejecting = (code: string) => async () => Promise.reject(Object.assign(new Error(), { code }));
const names: Record<string, { resolve: () => Promise<string[]>; reason: string }> = {
  'loopback.internal': { resolve: async () => ['127.0.0.1'], reason: 'address 127.0.0.1 is not allowed' },
  'unknown.example': { resolve: rejecting('ENOTFOUND'), reason: 'name does not resolve' },
  'silent.example': { resolve: rejecting('ETIMEOUT'), reason: 'name does not resolve at the moment' },
};
startTestDelivery(app.store.service, {
  http: makeOutgoingHttp({ guard: makeAddressGuard([]), resolve: (name) => names[name]!.resolve() }),
  settings: { retryDelaysSeconds: [3600] },
});

for (const [name, { reason }] of Object.entries(names)) {
  test(`a partner learns nothing about the address behind a name, an operator sees the reason: ${name}`, async () => {
    const form = { ...exampleInboundForm, form_no: name, callback_url: `http://${name}/told` };
    assert.equal((await app.callLogistics('/purchases/purchase', form)).status, 200);
    const seenByPartner = async () =>
      (await app.callMain('/getCallbacksData/searchList', { 'callbacks.document_no': name })).json.retval.rows[0];
    await until('it is tried', async () => (await seenByPartner()).attempts.length === 1);

    const [{ at: _, ...attempt }] = (await seenByPartner()).attempts;
    const error = 'the host of callback_url has no usable address';
    assert.deepEqual(attempt, { duration_ms: 0, http_status: null, error, address: null, response: null });

    const { rows } = await operator.ask(callbackSearch, { document_no: name });
    const { attempt_list } = await operator.ask(callbackDetail, { callback_id: rows[0]!.callback_id });
    const seen = [rows[0]!.last_attempt!.error!, attempt_list[0]!.error!];
    assert.deepEqual(
      seen.map((one) => formatMessage(one)),
      [reason, reason],
    );
  });
}
