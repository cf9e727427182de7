import {
  formTypes,
  type InboundFormBody,
  type InboundFormRetval,
  makeInboundFormBody,
} from '../../../contract/logistics/inbound-form.ts';
import type { WebAddress } from '../../../contract/values.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import { type InboundFormContent, shippingTypes } from '../../domain/inbound/inbound-form.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone, notDoneAt } from '../../http/done-envelope.ts';
import { type EndpointResponse, endpoint } from '../../http/endpoint.ts';
import { exact, storageTypeOf, textOrNull } from './items.ts';
import { actorOf, type LogisticsCaller } from './logistics-contract.ts';

type FormOperations = Pick<DomainOperations, 'submitInboundForm' | 'stopReceiving'>;

/** Accepts an inbound or return form, or stops receiving for one of them. */
export function purchasesPurchase(operations: FormOperations, CallbackUrl: typeof WebAddress) {
  const body = makeInboundFormBody(CallbackUrl);
  return endpoint<LogisticsCaller, typeof body>({
    path: '/purchases/purchase',
    body,
    documentNo: (form) => form.form_no,
    handle: (caller, form, request) =>
      form.form_type === formTypes.stopReceiving
        ? stop(operations, caller, form, request.id)
        : create(operations, caller, form, request.id),
  });
}

async function create(
  { submitInboundForm }: FormOperations,
  caller: LogisticsCaller,
  form: InboundFormBody,
  traceId: string,
): Promise<EndpointResponse> {
  const outcome = await submitInboundForm({
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
      return notDoneAt(['form_no'], errorMessage('form_no_reused'), 409);
    case 'too_many_units': {
      const message = errorMessage('lot_too_large', { sku_id: outcome.skuId, max: outcome.unitsMax });
      return notDoneAt(['products', outcome.lineIndex, 'quantity'], message, 400);
    }
    default:
      return outcome satisfies never;
  }
}

async function stop(
  { stopReceiving }: FormOperations,
  caller: LogisticsCaller,
  { form_no, callback_url }: InboundFormBody,
  traceId: string,
): Promise<EndpointResponse> {
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
      return notDone(atField('form_no', errorMessage('document_not_found')), 400);
    case 'too_late':
      return notDone(atField('form_no', errorMessage('cannot_stop', { status: outcome.status })), 400);
    default:
      return outcome satisfies never;
  }
}

function answered(retval: InboundFormRetval): EndpointResponse {
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
