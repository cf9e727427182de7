import { publicCodeOf } from '../../../contract/errors/codes.ts';
import {
  type AdvanceResult,
  FulfilmentAdvanceBody,
  type FulfilmentAdvanceRetval,
} from '../../../contract/main/fulfilment-advance.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { AdvanceOrderOutcome, ReportedProgress, ReportedStatus } from '../../domain/orders/advance-orders.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { done } from '../../http/done-envelope.ts';
import { actorOf, operation } from './main-contract.ts';

type Report = FulfilmentAdvanceBody['orders'][number];

/** A warehouse system reports the progress of orders, each with its own result. */
export function fulfilmentAdvance({ advanceOrders }: Pick<DomainOperations, 'advanceOrders'>) {
  return operation('fulfilment.write', {
    path: '/fulfilment/advance',
    body: FulfilmentAdvanceBody,
    async handle(caller, { orders }, request) {
      const { accountId, environment } = caller.account;
      const outcomes = await advanceOrders({
        accountId,
        isUat: environment === 'uat',
        entries: orders.map(progressOf),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      const retval: FulfilmentAdvanceRetval = {
        results: outcomes.map((outcome, index) => formatResult(outcome, orders[index]!)),
      };
      return done(retval);
    },
  });
}

function progressOf({ outbound_short_id, internal_name, status, shipment_no, carrier }: Report): ReportedProgress {
  const name = internal_name
    ? { partnerNumber: internal_name, isLogistics: true }
    : { partnerNumber: outbound_short_id!, isLogistics: false };
  return { ...name, to: status, shipmentNo: shipment_no ?? null, carrier: carrier ?? null };
}

function formatResult(
  outcome: AdvanceOrderOutcome,
  { outbound_short_id, internal_name, status }: Report,
): AdvanceResult {
  const name = internal_name ? { internal_name } : { outbound_short_id: outbound_short_id! };
  const refused = (message: Message): AdvanceResult => ({
    ...name,
    status: 'refused',
    code: publicCodeOf(message),
    message: formatMessage(message),
  });
  switch (outcome.kind) {
    case 'advanced':
      return { ...name, status: outcome.status as ReportedStatus };
    case 'not_found':
      return { ...name, status: 'not_found' };
    case 'uat':
      return refused(errorMessage('uat_order_stays'));
    case 'out_of_order':
      return refused(whyOutOfOrder(outcome.status, status));
    case 'no_shipment_no':
      return refused(errorMessage('shipment_no_missing'));
    case 'other_shipment_no':
      return refused(errorMessage('other_shipment_no'));
    default:
      return outcome satisfies never;
  }
}

function whyOutOfOrder(status: OrderStatus, to: ReportedStatus): Message {
  if (status === 'cancelled') return errorMessage('order_cancelled');
  if (status === 'awaiting_stock') return errorMessage('order_awaits_stock');
  if (to === 'delivered') return errorMessage('not_shipped_yet', { status });
  return errorMessage('no_going_back', { status, reported: to });
}
