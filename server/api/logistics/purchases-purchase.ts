import { formTypes, type InboundFormBody, type InboundFormRetval, makeInboundFormBody } from '../../../contract/logistics/inbound-form.ts';

import type { WebAddress } from '../../../contract/values.ts';
import { type InboundFormContent, shippingTypes } from '../../domain/inbound/inbound-form.ts';
import type { StopReceiving } from '../../domain/inbound/stop-receiving.ts';
import type { TakeInboundForm } from '../../domain/inbound/take-inbound-form.ts';
import { type Answer, endpoint } from '../contract.ts';
import { done, notDone, refusedForm } from '../done-envelope.ts';
import { exact, storageTypeOf, textOrNull } from './items.ts';
import { actorOf, type LogisticsCaller } from './logistics-contract.ts';

/** An inbound or return form, or the word that receiving one of them stops. */
export function purchasesPurchase(
  { takeInboundForm, stopReceiving }: { takeInboundForm: TakeInboundForm; stopReceiving: StopReceiving },
  CallbackUrl: typeof WebAddress,
) {
  const body = makeInboundFormBody(CallbackUrl);
  return endpoint<LogisticsCaller, typeof body>({
    path: '/purchases/purchase',
    body,
    documentNo: (form) => form.form_no,
    handle: (caller, form, request) =>
      form.form_type === formTypes.stopReceiving ? stop(caller, form, request.id) : create(caller, form, request.id),
  });

  async function create(caller: LogisticsCaller, form: InboundFormBody, traceId: string): Promise<Answer> {
    const outcome = await takeInboundForm({
      key: caller.key,
      partnerNumber: form.form_no,
      content: contentOf(form),
      cause: { actor: actorOf(caller), traceId },
    });
    switch (outcome.kind) {
      case 'created':
      case 'repeated':
        return answered({ document_no: form.form_no, status: outcome.status, idempotent: outcome.kind === 'repeated' });
      case 'conflict':
        return notDone('form_no was used before with another body', 409);
      case 'too_many_units': {
        const message = `a lot of sku ${outcome.skuId} would hold more than ${outcome.unitsMax} units`;
        return refusedForm(message, [{ path: ['products', outcome.lineIndex, 'quantity'], message }]);
      }
      default:
        return outcome satisfies never;
    }
  }

  async function stop(caller: LogisticsCaller, { form_no, callback_url }: InboundFormBody, traceId: string): Promise<Answer> {
    const { accountId, name: keyName } = caller.key;
    const outcome = await stopReceiving({
      name: { accountId, partnerNumber: form_no, isLogistics: true },
      target: { keyName, url: callback_url },
      cause: { actor: actorOf(caller), traceId },
    });
    switch (outcome.kind) {
      case 'stopped':
      case 'repeated':
        return answered({ document_no: form_no, status: 'stopped', idempotent: outcome.kind === 'repeated' });
      case 'not_found':
        return refusedForm('form_no not found', [{ path: ['form_no'], message: 'not found' }]);
      case 'too_late': {
        const message = `is ${outcome.status} already; receiving cannot be stopped`;
        return refusedForm(`form_no ${message}`, [{ path: ['form_no'], message }]);
      }
      default:
        return outcome satisfies never;
    }
  }
}

function answered(retval: InboundFormRetval): Answer {
  return done(retval);
}

function contentOf(form: InboundFormBody): InboundFormContent {
  return {
    kind: form.form_type === formTypes.return ? 'return' : 'inbound',
    internalFormNo: form.internal_form_no,
    shippingType: shippingTypes[form.shipping_type - 1]!,
    sender: { name: textOrNull(form.sender_name), address: textOrNull(form.sender_address) },
    callbackUrl: form.callback_url,
    items: form.products.map((item) => ({
      skuId: item.sku,
      qty: item.quantity,
      batchId: item.batch ?? '',
      expireDate: item.expire_date || null,
      name: textOrNull(item.name),
      storageType: item.storage_type ? storageTypeOf(item.storage_type) : null,
      price: item.price === undefined || item.price === null ? null : exact(item.price),
      identifier: textOrNull(item.identifier),
    })),
  };
}
