import type { StopReceiving } from '../../domain/inbound/stop-receiving.ts';
import type { TakeInboundForm } from '../../domain/inbound/take-inbound-form.ts';
import type { TakeShippingOrder } from '../../domain/orders/take-shipping-order.ts';
import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Endpoint } from '../contract.ts';
import { guardedWebAddress } from './callback-url.ts';
import type { LogisticsCaller } from './logistics-contract.ts';
import { ordersOrder } from './orders-order.ts';
import { purchasesPurchase } from './purchases-purchase.ts';

/** What this contract needs to have done. */
export interface LogisticsOperations {
  takeShippingOrder: TakeShippingOrder;
  takeInboundForm: TakeInboundForm;
  stopReceiving: StopReceiving;
}

export function logisticsEndpoints(operations: LogisticsOperations, guard: AddressGuard): Endpoint<LogisticsCaller>[] {
  const CallbackUrl = guardedWebAddress(guard);
  return [ordersOrder(operations.takeShippingOrder, CallbackUrl), purchasesPurchase(operations, CallbackUrl)];
}
