import { InboundsStopBody, type InboundsStopRetval } from '../../../contract/main/inbounds-stop.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone } from '../../http/done-envelope.ts';
import { inboundNamed } from './inbounds-named.ts';
import { actorOf, operation } from './main-contract.ts';

/** Stops receiving: no more goods are expected for the document, and its callback URL, if any, is notified. */
export function inboundsStop({ stopReceiving }: Pick<DomainOperations, 'stopReceiving'>) {
  return operation('inbounds.write', {
    path: '/inbounds/stop',
    body: InboundsStopBody,
    documentNo: (body) => inboundNamed(body).number,
    async handle(caller, body, request) {
      const { field, number, isLogistics } = inboundNamed(body);
      const outcome = await stopReceiving({
        name: { accountId: caller.account.accountId, partnerNumber: number, isLogistics },
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'stopped':
        case 'repeated': {
          const retval: InboundsStopRetval = { status: 'stopped', idempotent: outcome.kind === 'repeated' };
          return done(retval);
        }
        case 'not_found':
          return notDone(atField(field, errorMessage('document_not_found')), 400);
        case 'too_late':
          return notDone(atField(field, errorMessage('cannot_stop', { status: outcome.status })), 400);
        default:
          return outcome satisfies never;
      }
    },
  });
}
