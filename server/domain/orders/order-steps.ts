import { type OrderStatus, orderAfter } from './order.ts';

export const orderSteps = ['pick', 'pack', 'ship', 'deliver', 'arrive', 'fail'] as const;
export type OrderStep = (typeof orderSteps)[number];

/** The steps that people may take with an order in this state, one after the other. */
export function stepsOf(status: OrderStatus, environment: 'uat' | 'production'): OrderStep[] {
  if (environment === 'uat') return [];
  return orderSteps.filter((step) => orderAfter(status, step) !== null);
}
