import type { DomainOperations } from '../../domain/operations.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import { guardedWebAddress } from '../callback-url.ts';
import { callbacksTest } from './callbacks-test.ts';
import type { LogisticsCaller } from './logistics-contract.ts';
import { ordersOrder } from './orders-order.ts';
import { purchasesPurchase } from './purchases-purchase.ts';

/** `testGuard` judges the addresses of test callbacks. */
export function logisticsEndpoints(
  operations: DomainOperations,
  guard: AddressGuard,
  testGuard: AddressGuard,
): Endpoint<LogisticsCaller>[] {
  const CallbackUrl = guardedWebAddress(guard);
  return [
    ordersOrder(operations, CallbackUrl),
    purchasesPurchase(operations, CallbackUrl),
    callbacksTest(operations, guardedWebAddress(testGuard)),
  ];
}
