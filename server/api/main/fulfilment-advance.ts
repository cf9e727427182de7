import { publicCodeOf } from '../../../contract/errors/codes.ts';
import {
  type AdvanceResult,
  FulfilmentAdvanceBody,
  type FulfilmentAdvanceRetval,
  parcelsMax,
} from '../../../contract/main/fulfilment-advance.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { hasLeft, type OrderStatus } from '../../domain/orders/order.ts';
import type { ReportedParcel } from '../../domain/orders/parcel.ts';
import type {
  AdvanceOrderOutcome,
  ParcelRefusal,
  ReportedProgress,
  ReportedStatus,
} from '../../domain/orders/progress.ts';
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

function progressOf(report: Report): ReportedProgress {
  const { outbound_short_id, internal_name, status, shipment_no, carrier, parcels, final, allow_repeat, reason } =
    report;
  const name = internal_name
    ? { partnerNumber: internal_name, isLogistics: true }
    : { partnerNumber: outbound_short_id!, isLogistics: false };
  return {
    ...name,
    to: status,
    shipmentNo: shipment_no ?? null,
    carrier: carrier ?? null,
    ...(parcels ? { parcels: parcels.map(parcelOf) } : {}),
    isFinal: final === true,
    allowRepeat: allow_repeat === true,
    ...(reason ? { reason } : {}),
  };
}

function parcelOf({ shipment_no, carrier, items }: NonNullable<Report['parcels']>[number]): ReportedParcel {
  return {
    shipmentNo: shipment_no,
    carrier: carrier ?? null,
    items:
      items?.map(({ sku_id, qty, batch_id, expire_date }) => ({
        skuId: sku_id,
        qty,
        batchId: batch_id || null,
        expireDate: expire_date || null,
      })) ?? null,
  };
}

function formatResult(
  outcome: AdvanceOrderOutcome,
  { outbound_short_id, internal_name, status }: Report,
): AdvanceResult {
  const name = internal_name ? { internal_name } : { outbound_short_id: outbound_short_id! };
  if (outcome.kind === 'advanced') return { ...name, status: outcome.status as ReportedStatus };
  if (outcome.kind === 'not_found') return { ...name, status: 'not_found' };
  const message = messageOf(outcome, status);
  return { ...name, status: 'refused', code: publicCodeOf(message), message: formatMessage(message) };
}

type Refusal = Exclude<AdvanceOrderOutcome, { kind: 'advanced' | 'not_found' }>;

function messageOf(outcome: Refusal, status: ReportedStatus): Message {
  switch (outcome.kind) {
    case 'uat':
      return errorMessage('uat_order_stays');
    case 'out_of_order':
      return whyOutOfOrder(outcome.status, status);
    case 'no_shipment_no':
      return errorMessage('shipment_no_missing');
    case 'other_shipment_no':
      return errorMessage('other_shipment_no');
    case 'no_reason':
      return errorMessage('reason_missing');
    case 'other_reason':
      return errorMessage('other_reason', { reason: outcome.reason });
    default:
      return parcelMessage(outcome);
  }
}

function parcelMessage(outcome: ParcelRefusal): Message {
  switch (outcome.kind) {
    case 'no_parcels':
      return errorMessage('parcels_missing');
    case 'two_shipment_nos':
      return errorMessage('shipment_no_twice');
    case 'not_with_status':
      return errorMessage('not_with_status', { field: outcome.field, statuses: statusesWith[outcome.field] });
    case 'units_remain':
      return errorMessage('units_remain', { units: outcome.units });
    case 'not_held': {
      const { shipmentNo: shipment_no, skuId: sku_id, qty, held } = outcome;
      return errorMessage('parcel_not_held', { shipment_no, sku_id, qty, held });
    }
    case 'nothing_left':
      return errorMessage('parcel_empty', { shipment_no: outcome.shipmentNo });
    case 'other_content':
      return errorMessage('parcel_differs', { shipment_no: outcome.shipmentNo });
    case 'repeated_shipment_no':
      return errorMessage('shipment_no_reused', { shipment_no: outcome.shipmentNo });
    case 'no_more_parcels':
      return errorMessage('no_more_parcels', { status: outcome.status });
    case 'too_many_parcels':
      return errorMessage('too_many_parcels', { limit: parcelsMax });
    default:
      return outcome satisfies never;
  }
}

const statusesWith = { parcels: 'partially_shipped, shipped', final: 'shipped', reason: 'undelivered' };
const afterShipping: ReportedStatus[] = ['arrived', 'delivered', 'undelivered'];

function whyOutOfOrder(status: OrderStatus, to: ReportedStatus): Message {
  if (status === 'cancelled') return errorMessage('order_cancelled');
  if (status === 'awaiting_stock') return errorMessage('order_awaits_stock');
  if (afterShipping.includes(to) && !hasLeft(status)) return errorMessage('not_shipped_yet', { status, reported: to });
  return errorMessage('no_going_back', { status, reported: to });
}
