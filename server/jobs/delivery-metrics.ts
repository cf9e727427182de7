import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

export type DeliveryMetrics = ReturnType<typeof makeDeliveryMetrics>;

/** The metrics of callback delivery. No label holds a receiver: there may be any number of them. */
export function makeDeliveryMetrics(registry: Registry) {
  const registers = [registry];
  return {
    attempts: new Counter({
      name: 'lading_callback_attempts_total',
      help: 'Attempts to deliver a callback, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    ended: new Counter({
      name: 'lading_callback_ended_total',
      help: 'Callbacks that left the queue, by status.',
      labelNames: ['status'],
      registers,
    }),
    lag: new Histogram({
      name: 'lading_callback_lag_seconds',
      help: 'Time from when a callback was queued to its first attempt.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
      registers,
    }),
    attemptDuration: new Histogram({
      name: 'lading_callback_attempt_duration_seconds',
      help: 'Duration of an attempt, with or without a response.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    inFlight: new Gauge({ name: 'lading_callback_attempts_in_flight', help: 'Callbacks being sent.', registers }),
    lost: new Counter({
      name: 'lading_callback_attempts_lost_total',
      help: 'Attempts that could not be recorded before another worker took over the callback.',
      registers,
    }),
    circuits: new Counter({
      name: 'lading_callback_receiver_circuits_total',
      help: 'Receivers that were put on hold after repeated failures (opened), or respond again (closed).',
      labelNames: ['change'],
      registers,
    }),
  };
}
