import { type AdvanceResult, FulfilmentAdvanceBody, type FulfilmentAdvanceRetval } from '../../../contract/main/fulfilment-advance.ts';
import type { AdvanceOrderOutcome, AdvanceOrdersRequest, ReportedProgress, ReportedStatus } from '../../domain/orders/advance-orders.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { done } from '../done-envelope.ts';
import { actorOf, operation } from './main-contract.ts';

type Report = FulfilmentAdvanceBody['orders'][number];

/** A warehouse system reports how far orders have come, each with its own result. */
export function fulfilmentAdvance(advanceOrders: (request: AdvanceOrdersRequest) => Promise<AdvanceOrderOutcome[]>) {
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
      const retval: FulfilmentAdvanceRetval = { results: outcomes.map((outcome, index) => wordResult(outcome, orders[index]!)) };
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

function wordResult(outcome: AdvanceOrderOutcome, { outbound_short_id, internal_name, status }: Report): AdvanceResult {
  const name = internal_name ? { internal_name } : { outbound_short_id: outbound_short_id! };
  const refused = (message: string): AdvanceResult => ({ ...name, status: 'refused', message });
  switch (outcome.kind) {
    case 'advanced':
      return { ...name, status: outcome.status as ReportedStatus };
    case 'not_found':
      return { ...name, status: 'not_found' };
    case 'uat':
      return refused('orders of a UAT account stay in pending_warehouse_transfer');
    case 'out_of_order':
      return refused(whyOutOfOrder(outcome.status, status));
    case 'no_shipment_no':
      return refused('shipment_no is missing: what is shipped has one');
    case 'other_shipment_no':
      return refused('it was shipped with another shipment_no, which stays');
    default:
      return outcome satisfies never;
  }
}

function whyOutOfOrder(status: OrderStatus, to: ReportedStatus): string {
  if (status === 'cancelled') return 'the order is cancelled';
  if (status === 'awaiting_stock') return 'the order waits for stock';
  if (to === 'delivered') return `the order is ${status}; it must be shipped before it is delivered`;
  return `the order is ${status} already; it cannot go back to ${to}`;
}
