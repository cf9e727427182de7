import { InboundsCancelBody, type InboundsCancelRetval } from '../../../contract/main/inbounds-cancel.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done } from '../../http/done-envelope.ts';
import { cancelStatusOf } from '../inbound-responses.ts';
import { actorOf, operation } from './main-contract.ts';

/**
 * Cancels inbound documents, returns and forms of the logistics webhook by the rules of F-4, each with its own result.
 */
export function inboundsCancel({ cancelInbounds }: Pick<DomainOperations, 'cancelInbounds'>) {
  return operation('inbounds.write', {
    path: '/inbounds/cancel',
    body: InboundsCancelBody,
    async handle(caller, body, request) {
      const direct = body.inbound_short_ids ?? [];
      const forms = body.form_nos ?? [];
      const { accountId } = caller.account;
      const cause = { actor: actorOf(caller), traceId: request.id };
      const [ofDirect, ofForms] = await Promise.all([
        direct.length > 0 ? cancelInbounds({ accountId, partnerNumbers: direct, cause }) : [],
        forms.length > 0 ? cancelInbounds({ accountId, partnerNumbers: forms, isLogistics: true, cause }) : [],
      ]);
      const retval: InboundsCancelRetval = {
        results: [
          ...ofDirect.map((outcome, index) => ({ inbound_short_id: direct[index]!, status: cancelStatusOf(outcome) })),
          ...ofForms.map((outcome, index) => ({ form_no: forms[index]!, status: cancelStatusOf(outcome) })),
        ],
      };
      return done(retval);
    },
  });
}
