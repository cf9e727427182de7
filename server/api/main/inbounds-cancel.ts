import { InboundsCancelBody, type InboundsCancelRetval } from '../../../contract/main/inbounds-cancel.ts';
import type { CancelInboundOutcome, CancelInboundsRequest } from '../../domain/inbound/cancel-inbounds.ts';
import { done } from '../done-envelope.ts';
import { cancelStatusOf } from '../inbound-words.ts';
import { actorOf, operation } from './main-contract.ts';

/** Cancels inbound documents and returns by the rules of F-4, forms of the logistics webhook too, each with its own result. */
export function inboundsCancel(cancelInbounds: (request: CancelInboundsRequest) => Promise<CancelInboundOutcome[]>) {
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
