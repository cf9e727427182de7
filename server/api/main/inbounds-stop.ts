import { InboundsStopBody, type InboundsStopRetval } from '../../../contract/main/inbounds-stop.ts';
import type { StopReceiving } from '../../domain/inbound/stop-receiving.ts';
import { done, notDone } from '../done-envelope.ts';
import { inboundNamed } from './inbounds-named.ts';
import { actorOf, operation } from './main-contract.ts';

/** What has not arrived of a document is not waited for; where it has a callback address, it is told. */
export function inboundsStop(stopReceiving: StopReceiving) {
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
          return notDone(`${field} not found`, 400);
        case 'too_late':
          return notDone(`${field} is ${outcome.status} already; receiving cannot be stopped`, 400);
        default:
          return outcome satisfies never;
      }
    },
  });
}
