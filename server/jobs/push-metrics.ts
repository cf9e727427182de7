import { Counter, type Registry } from '@prometheus-io/client';

export type PushMetrics = ReturnType<typeof makePushMetrics>;

/** What a worker counts while it takes orders to their warehouses. */
export function makePushMetrics(registry: Registry) {
  const registers = [registry];
  return {
    transfers: new Counter({
      name: 'lading_transfers_total',
      help: 'Orders that were handed to their warehouse, by outcome: accepted, rejected and so put aside, failed and so tried again.',
      labelNames: ['outcome'],
      registers,
    }),
    waves: new Counter({
      name: 'lading_waves_total',
      help: 'Waves of orders, by how they ended.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
