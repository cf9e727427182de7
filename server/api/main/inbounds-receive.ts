import { InboundsReceiveBody, type InboundsReceiveRetval } from '../../../contract/main/inbounds-receive.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { atField, listProblems } from '../../../messages/rejection-texts.ts';
import type { DeliveryMistake } from '../../domain/inbound/delivery.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone, notDoneAt } from '../../http/done-envelope.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import { inboundNamed } from './inbounds-named.ts';
import { actorOf, operation } from './main-contract.ts';

/** Keeps the message readable. */
const mistakesListedMax = 20;

/** The warehouse reports received goods of a document. */
export function inboundsReceive({ submitReceipt }: Pick<DomainOperations, 'submitReceipt'>) {
  return operation('inbounds.write', {
    path: '/inbounds/receive',
    body: InboundsReceiveBody,
    documentNo: (body) => inboundNamed(body).number,
    async handle(caller, body, request) {
      const { field, number, isLogistics } = inboundNamed(body);
      const outcome = await submitReceipt({
        name: { accountId: caller.account.accountId, partnerNumber: number, isLogistics },
        receiptNo: body.receipt_no ?? null,
        content: {
          lines: body.details.map(({ sku_id, stock_type, batch_id, expire_date, qty }) => ({
            skuId: sku_id,
            stockType: stock_type,
            batchId: batch_id ?? '',
            expireDate: expire_date || null,
            qty,
          })),
          isFinal: body.final ?? false,
        },
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'counted':
        case 'repeated': {
          const retval: InboundsReceiveRetval = { status: outcome.status, idempotent: outcome.kind === 'repeated' };
          return done(retval);
        }
        case 'conflict':
          return notDoneAt(['receipt_no'], errorMessage('receipt_no_reused'), 409);
        case 'not_found':
          return notDone(atField(field, errorMessage('document_not_found')), 400);
        case 'too_late':
          return notDone(atField(field, errorMessage('cannot_receive', { status: outcome.status })), 400);
        case 'too_many_portions':
          return notDone(atField(field, errorMessage('too_many_portions', { portions: outcome.portionsMax })), 400);
        case 'refused':
          return notDone(describeMistakes(outcome.mistakes), 400, locate(outcome.mistakes, body));
        default:
          return outcome satisfies never;
      }
    },
  });
}

/** Each mistake at the first line of its product. */
function locate(mistakes: DeliveryMistake[], { details }: InboundsReceiveBody): Mistake[] {
  return mistakes.map((mistake) => {
    const index = details.findIndex(({ sku_id }) => sku_id === mistake.skuId);
    const field = mistake.kind === 'not_announced' ? 'sku_id' : 'qty';
    return { path: ['details', index, field], message: describeMistake(mistake) };
  });
}

function describeMistakes(mistakes: DeliveryMistake[]): Message {
  const listed = mistakes.slice(0, mistakesListedMax);
  return listProblems(listed.map(describeMistake), mistakes.length - listed.length);
}

function describeMistake(mistake: DeliveryMistake): Message {
  switch (mistake.kind) {
    case 'not_announced':
      return errorMessage('not_announced', { sku_id: mistake.skuId, reported: mistake.reported });
    case 'too_many': {
      const { skuId, announced, received, reported, acceptedMax } = mistake;
      return errorMessage('more_than_accepted', { sku_id: skuId, max: acceptedMax, announced, received, reported });
    }
    case 'overfull':
      return errorMessage('lot_too_large', { sku_id: mistake.skuId, max: mistake.unitsMax });
    default:
      return mistake satisfies never;
  }
}
