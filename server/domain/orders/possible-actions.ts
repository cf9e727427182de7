import { waitingStates } from '../picking/pick-batch.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import { type OrderStatus, orderAfter } from './order.ts';
import { canBeChanged, placeOfChange } from './order-change.ts';
import { type OrderStep, stepsOf } from './order-steps.ts';

/** `pick_together`: staff pick it in a batch. `resend`: it is transferred again, because its warehouse rejected it. */
export type OrderAction = OrderStep | 'pick_together' | 'hold' | 'release' | 'resend' | 'cancel';

/** The parts of an order that decide which actions it can take. */
export interface ActedOnOrder {
  status: OrderStatus;
  environment: 'uat' | 'production';
  isHeld: boolean;
  transfer: TransferStatus | null;
  /** Staff of its warehouse work with the console. */
  isManual: boolean;
  /** Its warehouse has a system that accepts changes of orders. */
  takesChanges: boolean;
  /** Staff are picking it in a batch. */
  isInBatch: boolean;
}

/** The actions that an order can take as it is now. An action may still fail, if somebody else changes the order meanwhile. */
export function possibleActions(order: ActedOnOrder): OrderAction[] {
  const { status, environment, isHeld, transfer } = order;
  const isRejected = status === 'pending_warehouse_transfer' && transfer === 'rejected';
  const canChange = canBeChanged(placeOfChange({ ...order, transfer }));
  return [
    ...(canBeClaimed(order) ? (['pick_together'] as const) : []),
    ...(isHeld ? [] : stepsOf(status, environment)),
    ...(canChange ? ([isHeld ? 'release' : 'hold'] as const) : []),
    ...(isRejected ? (['resend'] as const) : []),
    ...(orderAfter(status, 'cancel') !== null && transfer !== 'sending' ? (['cancel'] as const) : []),
  ];
}

/** The same rule as `isWaiting` in pick-queue-queries.ts. */
function canBeClaimed({ status, environment, isHeld, transfer, isManual, isInBatch }: ActedOnOrder): boolean {
  const isWaiting = (waitingStates as readonly OrderStatus[]).includes(status);
  const isForSystem = transfer === 'sending' || transfer === 'rejected';
  return isWaiting && isManual && environment === 'production' && !isHeld && !isForSystem && !isInBatch;
}
