import { InboundsReceiveBody, type InboundsReceiveRetval } from '../../../contract/main/inbounds-receive.ts';
import type { DeliveryMistake } from '../../domain/inbound/delivery.ts';
import type { TakeReceipt } from '../../domain/inbound/take-receipt.ts';
import { done, notDone } from '../done-envelope.ts';
import { inboundNamed } from './inbounds-named.ts';
import { actorOf, operation } from './main-contract.ts';

/** So that a person can still take it in. */
const mistakesWordedMax = 20;

/** The warehouse reports what has arrived of a document. */
export function inboundsReceive(takeReceipt: TakeReceipt) {
  return operation('inbounds.write', {
    path: '/inbounds/receive',
    body: InboundsReceiveBody,
    documentNo: (body) => inboundNamed(body).number,
    async handle(caller, body, request) {
      const { field, number, isLogistics } = inboundNamed(body);
      const outcome = await takeReceipt({
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
          return notDone('receipt_no was used before with another body', 409);
        case 'not_found':
          return notDone(`${field} not found`, 400);
        case 'too_late':
          return notDone(`${field} is ${outcome.status} already; nothing more can be received`, 400);
        case 'too_many_portions':
          return notDone(`${field} has come in ${outcome.portionsMax} portions already; say final, or stop it`, 400);
        case 'refused':
          return notDone(wordMistakes(outcome.mistakes), 400);
        default:
          return outcome satisfies never;
      }
    },
  });
}

function wordMistakes(mistakes: DeliveryMistake[]): string {
  const worded = mistakes.slice(0, mistakesWordedMax).map(wordMistake).join('; ');
  return mistakes.length > mistakesWordedMax ? `${worded} (and ${mistakes.length - mistakesWordedMax} more)` : worded;
}

function wordMistake(mistake: DeliveryMistake): string {
  switch (mistake.kind) {
    case 'not_announced':
      return `sku ${mistake.skuId} is not in the document: announced=0 received=0 reported=${mistake.reported}`;
    case 'too_many': {
      const { skuId, announced, received, reported, acceptedMax } = mistake;
      return `sku ${skuId} would be more than the ${acceptedMax} that are accepted: announced=${announced} received=${received} reported=${reported}`;
    }
    case 'overfull':
      return `a lot of sku ${mistake.skuId} would hold more than ${mistake.unitsMax} units`;
    default:
      return mistake satisfies never;
  }
}
