import { Counter, type Registry } from '@prometheus-io/client';

export type PushMetrics = ReturnType<typeof makePushMetrics>;

export function makePushMetrics(registry: Registry) {
  const registers = [registry];
  return {
    transfers: new Counter({
      name: 'lading_transfers_total',
      help: 'Orders transferred to their warehouse, by outcome: accepted, rejected, or failed and to be retried.',
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
