import type {
  AdvanceStep,
  OrderAdvanceResult,
  OrderCancelResult,
  OrderStatus,
} from '../../../contract/console/orders.ts';
import type { words } from './words.ts';

type ResultWords = (typeof words)['en']['result'];
type StatusWords = Record<OrderStatus, string>;

export function isAdvanced({ kind }: OrderAdvanceResult): boolean {
  return kind === 'advanced' || kind === 'already';
}

export function formatAdvance(
  result: OrderAdvanceResult,
  step: AdvanceStep,
  say: ResultWords,
  statuses: StatusWords,
): string {
  switch (result.kind) {
    case 'advanced':
      return say.advanced(statuses[result.status]);
    case 'already':
      return say.already(statuses[result.status]);
    case 'not_found':
      return say.notFound;
    case 'uat':
      return say.uat;
    case 'out_of_order':
      return formatOutOfOrder(result.status, step, say, statuses);
    case 'other_shipment_no':
      return say.otherShipmentNo;
    case 'no_reason':
      return say.noReason;
    case 'other_reason':
      return say.otherReason;
    default:
      return result satisfies never;
  }
}

function formatOutOfOrder(status: OrderStatus, step: AdvanceStep, say: ResultWords, statuses: StatusWords): string {
  if (status === 'cancelled') return say.isCancelled;
  if (status === 'awaiting_stock') return say.waitsForStock;
  const comesAfterShipping = step === 'arrive' || step === 'deliver' || step === 'fail';
  return comesAfterShipping && !hasLeft(status) ? say.notShipped(statuses[status]) : say.beyond(statuses[status]);
}

function hasLeft(status: OrderStatus): boolean {
  return status === 'shipped' || status === 'arrived' || status === 'delivered' || status === 'undelivered';
}

export function formatCancel(result: OrderCancelResult, say: ResultWords, statuses: StatusWords): string {
  switch (result.kind) {
    case 'cancelled':
      return say.cancelled;
    case 'not_found':
      return say.notFound;
    case 'too_late':
      return result.status === 'pending_warehouse_transfer' ? say.beingSent : say.tooLate(statuses[result.status]);
    default:
      return result satisfies never;
  }
}
